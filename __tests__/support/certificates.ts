import { generate } from "selfsigned";

/** A certificate and its key, both PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export type CertificateFlaw = "self-signed" | "expired" | "for another host";

export interface Certificates {
  /** The authority that the tests trust, PEM. */
  readonly authority: string;
  /** Of `127.0.0.1`, by that authority. */
  readonly good: Certificate;
  readonly flawed: Readonly<Record<CertificateFlaw, Certificate>>;
}

const keys = { keyType: "ec", algorithm: "sha256" } as const;
const dayMs = 86_400_000;

/** An authority and certificates for servers on this machine. They are never written to a file. */
export async function makeCertificates(): Promise<Certificates> {
  const authority = await generate([{ name: "commonName", value: "Authority of the tests" }], {
    ...keys,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", keyCertSign: true, critical: true },
    ],
  });
  const ca = { key: authority.private, cert: authority.cert };
  const yesterday = Date.now() - dayMs;
  const past = { notBeforeDate: new Date(yesterday - dayMs), notAfterDate: new Date(yesterday) };
  const [good, selfSigned, expired, otherHost] = await Promise.all([
    serverCertificate("127.0.0.1", { ca }),
    serverCertificate("127.0.0.1", {}),
    serverCertificate("127.0.0.1", { ca, ...past }),
    serverCertificate("127.0.0.2", { ca }),
  ]);
  return {
    authority: authority.cert,
    good,
    flawed: { "self-signed": selfSigned, expired, "for another host": otherHost },
  };
}

async function serverCertificate(
  ip: string,
  options: { ca?: Certificate; notBeforeDate?: Date; notAfterDate?: Date },
): Promise<Certificate> {
  const made = await generate([{ name: "commonName", value: "Server of the tests" }], {
    ...keys,
    extensions: [
      { name: "basicConstraints", cA: false, critical: true },
      { name: "keyUsage", digitalSignature: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      { name: "subjectAltName", altNames: [{ type: 7, ip }] },
    ],
    ...options,
  });
  return { cert: made.cert, key: made.private };
}
