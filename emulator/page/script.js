// Keeps what is shown up to date: the server sends <main> again whenever it has changed.

const main = document.querySelector("main");
const connection = document.querySelector("#connection");
let events;

/** Makes a node equal to another one, and keeps what a reader has focused, selected, opened or typed. */
function morph(from, to) {
  if (from.nodeType !== Node.ELEMENT_NODE) {
    if (from.data !== to.data) from.data = to.data;
    return;
  }
  morphAttributes(from, to);
  const kept = keepOnly(from, new Set([...to.children].map(({ id }) => id)));
  // What is moved leaves the other element.
  const wanted = [...to.childNodes];
  let at = from.firstChild;
  for (const next of wanted) {
    const same = next.id ? kept.get(next.id) : likeIt(at, next);
    if (same === undefined) {
      from.insertBefore(next, at);
      continue;
    }
    if (same === at) at = at.nextSibling;
    else from.insertBefore(same, at);
    morph(same, next);
  }
  for (const rest of [...from.childNodes].slice(wanted.length)) rest.remove();
}

function morphAttributes(from, to) {
  const names = new Set([...from.attributes, ...to.attributes].map(({ name }) => name));
  names.delete("open");
  for (const name of names) {
    const value = to.getAttribute(name);
    if (value === null) from.removeAttribute(name);
    else if (value !== from.getAttribute(name)) from.setAttribute(name, value);
  }
}

/** Removes the children with other ids. @returns those with these ids, by id */
function keepOnly(parent, ids) {
  const withId = [...parent.children].filter(({ id }) => id !== "");
  for (const child of withId) if (!ids.has(child.id)) child.remove();
  return new Map(withId.filter(({ id }) => ids.has(id)).map((child) => [child.id, child]));
}

function likeIt(at, next) {
  return at && !at.id && at.nodeName === next.nodeName ? at : undefined;
}

function connect() {
  events = new EventSource(location.pathname + location.search);
  events.onopen = () => {
    connection.textContent = "live";
  };
  events.onmessage = ({ data }) => {
    morph(main, new DOMParser().parseFromString(data, "text/html").querySelector("main"));
  };
  events.onerror = () => {
    connection.textContent = "The emulator does not respond";
  };
}

// A browser has only a few connections for a host, so only tabs in sight use one.
function update() {
  events?.close();
  if (!document.hidden) connect();
}

if (main.hasAttribute("data-live")) {
  document.addEventListener("visibilitychange", update);
  update();
}
