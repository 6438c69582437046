/** The order of the group of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** The same ES256 token with the other valid signature: (r, s) and (r, n - s) verify alike. */
export function malleated(token: string): string {
  const [header = '', claims = '', mark = ''] = token.split('.');
  const bytes = Buffer.from(mark, 'base64url');
  const s = BigInt(`0x${bytes.subarray(32).toString('hex')}`);
  const other = Buffer.from((ORDER - s).toString(16).padStart(64, '0'), 'hex');
  const twin = Buffer.concat([bytes.subarray(0, 32), other]).toString('base64url');
  return `${header}.${claims}.${twin}`;
}
