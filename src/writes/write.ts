/** A request that changes something. With `sentAt`, it makes a revision. */
export type Write =
  | { readonly kind: "create"; readonly name: string; readonly sentAt: number }
  | { readonly kind: "revision" | "rollback"; readonly sentAt: number }
  | { readonly kind: "emptyCreate"; readonly name: string }
  | { readonly kind: "sourceConfig"; readonly names: readonly string[] }
  | { readonly kind: "deletion"; readonly shownName: string }
  | { readonly kind: "provider"; readonly providerId: string };

export interface WriteContext {
  readonly cancelled: AbortSignal;
  readonly report: {
    /** Notes that it is sent: it may have taken effect until `responded` is called. */
    sending(write: Write): void;
    responded(write: Write, tookEffect: boolean): void;
  };
}
