import * as v from "valibot";

/** Where to upload an archive. */
export interface UploadAddress {
  /** A credential: whoever knows it may upload. */
  readonly url: URL;
  /** The headers that the store requires, by lower-case names. They may be credentials too. Empty if they are not known. */
  readonly headers: Readonly<Record<string, string>>;
  /** The platform's name for the archive. */
  readonly objectPath: string;
}

export const UploadAddressSchema = v.pipe(
  v.looseObject({
    upload_url: v.pipe(v.string(), v.url(), v.regex(/^https?:/i)),
    upload_headers: v.nullish(v.record(v.string(), v.string())),
    object_path: v.pipe(v.string(), v.minLength(1)),
  }),
  v.transform(({ upload_url: url, upload_headers: headers, object_path: objectPath }): UploadAddress => {
    const entries = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]);
    return { url: new URL(url), headers: Object.fromEntries(entries), objectPath };
  }),
);
