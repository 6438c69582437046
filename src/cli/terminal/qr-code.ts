/** The address as a QR code, two modules a character, light on dark as on most terminals. */
export async function qrCode(address: string): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr');
  return renderUnicodeCompact(address, { border: 2 });
}
