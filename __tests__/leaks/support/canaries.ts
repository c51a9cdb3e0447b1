/** Values of secret inputs that turn up nowhere by chance, and where they turned up all the same. */

/** What a run holds that must not get out, by name. */
export type Canaries = Readonly<Record<string, string>>;

export const apiKey = "canary-Key/0001+=&<'\">|%41`\\x";
export const githubToken = "ghs_canaryToken0002abcdefghijklmnop";
export const clientSecret = "canary secret <0003> | with 'blanks' & \"quotes\"";
export const bearerToken = "canary.Bearer-0004~token/+=";

/** The values of `secrets`, by their names there. */
export const deploymentSecrets: Canaries = {
  PLAIN: "canary-plain-0005",
  SPACED: "canary with blanks 0006 | `tick` <b>@all</b> \\ $x ~!",
  QUOTED: '"canary-quoted-0007"',
  UNICODE: "canäry-пароль-0008-🔑",
  SHORT: "cn09",
  MULTI: "-----BEGIN CANARY 0010-----\nMIIcanary0011AbCd+/==\n  cn12 \nx\n-----END CANARY 0013-----",
  JSON: '{"type":"canary-0014","key":"-----BEGIN\\ncanary0015\\n-----"}',
};

/** The `secrets` input that gives them line by line. */
export const secretsInput = Object.entries(deploymentSecrets)
  .map(([name, value]) =>
    value.includes("\n") ? `${name}<<END_OF_${name}\n${value}\nEND_OF_${name}` : `${name}=${value}`,
  )
  .join("\n");

export const allCanaries: Canaries = { apiKey, githubToken, clientSecret, bearerToken, ...deploymentSecrets };

/**
 * Says which canaries are in a text and in which form; every line of a value counts as one. This is written down anew,
 * not taken from the action, so that what it forgets is found here.
 */
export function leaksIn(text: string, canaries: Canaries = allCanaries): string[] {
  return Object.entries(canaries).flatMap(([name, value]) =>
    piecesOf(value).flatMap((piece) =>
      formsOf(piece)
        .filter(([, form]) => text.includes(form))
        .map(([form]) => `${name} ${form}`),
    ),
  );
}

function piecesOf(value: string): string[] {
  const lines = value.split("\n").flatMap((line) => [line, line.trim()]);
  return [...new Set([value, ...lines])].filter((piece) => piece.length >= 4);
}

function formsOf(piece: string): [name: string, form: string][] {
  const bytes = Buffer.from(piece);
  const json = JSON.stringify(piece).slice(1, -1);
  const alignments = [0, 1, 2].map((shift): [string, string] => {
    const encoded = Buffer.concat([Buffer.alloc(shift, "#"), bytes, Buffer.from("##")]).toString("base64");
    const bits = (shift + bytes.length) * 8;
    return [
      `in Base64, shifted by ${shift}`,
      encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(bits / 6)),
    ];
  });
  return [
    ["as it is", piece],
    ["in one line", piece.replaceAll(/\s+/g, " ")],
    ["in JSON", json],
    ["in JSON in JSON", JSON.stringify(json).slice(1, -1)],
    ["in a URI", encodeURIComponent(piece)],
    ["in a form", new URLSearchParams({ x: piece }).toString().slice(2)],
    ["in hexadecimal", bytes.toString("hex")],
    ["in capital hexadecimal", bytes.toString("hex").toUpperCase()],
    ...alignments,
  ];
}
