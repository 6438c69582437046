/** Lets go of a body that nobody reads; not waited for, since a peer could make that take forever. */
export function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}
