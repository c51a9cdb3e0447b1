// Given to node with --import: writes the port of every connection that a process makes, or tries to make, to the file in
// CONNECTIONS, and the name of every host that it looks up.
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { Socket } from "node:net";

const file = process.env.CONNECTIONS ?? "";

subscribe("net.client.socket", (message) => {
  const { socket } = Object(message);
  if (!(socket instanceof Socket)) return;
  socket.on("lookup", (_error, _address, _family, host) => appendFileSync(file, `${host}\n`));
  socket.on("connectionAttempt", (_address, port) => appendFileSync(file, `${port}\n`));
});
