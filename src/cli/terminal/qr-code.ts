interface QrCode {
  readonly lines: readonly string[];
  /** In columns of the terminal. */
  readonly width: number;
}

/** Black on white of the palette that no theme changes, unlike the first 16 colours. */
const DARK_ON_LIGHT = '\u001b[38;5;16;48;5;231m';
const PLAIN = '\u001b[0m';

/** A URL as a QR code, two modules per character: dark on light in any theme of the terminal. */
export async function qrCode(url: string): Promise<QrCode> {
  const { encode } = await import('uqr');
  // The quiet zone is light, too; a phone tolerates half of the four modules that the standard asks for.
  const { data, size } = encode(url, { border: 2 });
  const lines: string[] = [];
  for (let y = 0; y < size; y += 2) {
    const cells = (data[y] ?? []).map((top, x) => cell(top, data[y + 1]?.[x] ?? false));
    lines.push(DARK_ON_LIGHT + cells.join('') + PLAIN);
  }
  return { lines, width: size };
}

function cell(top: boolean, bottom: boolean): string {
  if (top) return bottom ? '█' : '▀';
  return bottom ? '▄' : ' ';
}
