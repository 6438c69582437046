/** The words of an output: ids, URLs, codes and times differ from run to run. */
export function wordsOf(output: string): string {
  return output.replace(/\S*[\d_/:]\S*/g, '').replace(/\s+/g, ' ');
}
