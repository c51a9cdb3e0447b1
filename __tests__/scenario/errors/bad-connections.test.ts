import { createServer } from "node:https";
import tls from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { FaultRule } from "../../../emulator/index.ts";
import { type Certificate, type Certificates, makeCertificates } from "../../support/certificates.ts";
import { closeServer, listen } from "../../support/listen.ts";
import { expectError, requestLines, startScenario, writes } from "../../support/scenario.ts";

const path = "^/v2/deployments";

describe("a control plane over TLS", () => {
  const trustedBefore = tls.getCACertificates("default");
  let certificates: Certificates;

  beforeAll(async () => {
    certificates = await makeCertificates();
    tls.setDefaultCACertificates([...trustedBefore, certificates.authority]);
  });

  afterAll(() => tls.setDefaultCACertificates(trustedBefore));

  /** Runs a deploy against a server with this certificate that refuses every request. */
  async function deployTo(certificate: Certificate) {
    const received: string[] = [];
    const server = createServer(certificate, (request, response) => {
      received.push(`${request.method} ${request.url}`);
      response.writeHead(401).end();
    });
    const port = await listen(server);
    try {
      const { deploy } = await startScenario();
      return { run: await deploy({ control_plane_url: `https://127.0.0.1:${port}` }), received };
    } finally {
      await closeServer(server);
    }
  }

  test.each([
    ["self-signed", "self-signed certificate"],
    ["expired", "certificate has expired"],
    ["for another host", "does not match certificate"],
  ] as const)(
    "whose certificate is %s gets no request, and the error names control_plane_url",
    async (flaw, reason) => {
      const { run, received } = await deployTo(certificates.flawed[flaw]);

      expect(received).toEqual([]);
      expectError(run, reason, "control_plane_url");
    },
  );

  test("whose certificate is trusted gets the request", async () => {
    const { run, received } = await deployTo(certificates.good);

    expect(received).toHaveLength(1);
    expectError(run, "401", "api_key");
  });
});

test("an address with https:// of a server without TLS is an error that names control_plane_url", async () => {
  const { deploy, emulator } = await startScenario();

  const run = await deploy({ control_plane_url: emulator.url.replace("http:", "https:") });

  expectError(run, "control_plane_url");
  expect(run.requests).toEqual([]);
});

describe.each<[string, (method: string) => FaultRule]>([
  ["never comes", (method) => ({ kind: "hang", match: { method, path }, applied: true })],
  ["comes byte by byte", (method) => ({ kind: "trickle", match: { method, path }, milliseconds: 200 })],
])("a response that %s within request_timeout_seconds", (_what, faultOn) => {
  const inputs = { request_timeout_seconds: "0.3" };

  test("is given up, and the read is sent again", async () => {
    const { deploy, emulator } = await startScenario({ statusSeconds: 0 });
    emulator.addFault(faultOn("GET"));

    const run = await deploy(inputs);

    expect(run.outputs).toMatchObject({ outcome: "deployed", created: "true" });
    expect(run.infos).toContainEqual(expect.stringMatching(/within 0\.3 s.*Retrying/));
    const lists = requestLines(run.requests).filter((line) => line.startsWith("GET /v2/deployments "));
    expect(lists).toHaveLength(2);
  });

  test("leaves a write unconfirmed", async () => {
    const { deploy, emulator, existing } = await startScenario({ statusSeconds: 0 });
    await existing();
    emulator.addFault(faultOn("PATCH"));

    const run = await deploy(inputs);

    expectError(run, "within 0.3 s", "again is safe");
    expect(writes(run.requests)).toHaveLength(1);
  });
});
