/** How many findings there are, in words. */
export function countFindings(count: number): string {
  return count === 1 ? '1 finding' : `${count} findings`;
}

export function gapText(count: number): string {
  const exchanges = count === 1 ? 'exchange is' : 'exchanges are';
  return `${count.toLocaleString('en')} ${exchanges} no longer kept`;
}
