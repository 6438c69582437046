/** What is stored of one device authorization. Instants in milliseconds. */
export interface DeviceFacts {
  readonly clientId: string;
  readonly scopes: readonly string[];
  /** Named by the request, to be consented to together with the sign-in. */
  readonly audience: string | undefined;
  /** `undefined`: whatever the audience gives. */
  readonly audienceScopes: readonly string[] | undefined;
  /** Set when the sign-in must be later than this instant. */
  readonly signedInAfter: number | undefined;
  readonly expiresAt: number;
  readonly interval: number;
  readonly lastPollAt?: number | undefined;
  /** Set with the approval. */
  readonly email?: string | undefined;
  readonly authTime?: number | undefined;
  readonly approvedAt?: number | undefined;
  readonly deniedAt?: number | undefined;
  readonly collectedAt?: number | undefined;
}

/** Whether a sign-in is as recent as the request wants it (OpenID Connect Core §3.1.2.1). */
export function isRecentEnough({ signedInAfter }: DeviceFacts, authTime: number): boolean {
  return signedInAfter === undefined || authTime >= signedInAfter;
}
