/** A link whose text is its own URL (OSC 8). */
export function hyperlink(url: string): string {
  return `\u001b]8;;${url}\u001b\\${url}\u001b]8;;\u001b\\`;
}

/** Back to the beginning of the line `rows` above, and everything from there on taken away. */
export function eraseUp(rows: number): string {
  return `\u001b[${rows}F\u001b[0J`;
}

/** Asks the terminal to put text on its clipboard, also through SSH (OSC 52). */
export function copyToClipboard(text: string): string {
  return `\u001b]52;c;${Buffer.from(text, 'utf8').toString('base64')}\u0007`;
}
