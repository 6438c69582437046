/** A file that is no transcript which can be replayed. The message says where, and quotes nothing of it. */
export class TranscriptError extends Error {
  override readonly name = 'TranscriptError';
  /** Where it is wrong, as a JSON path: `$.exchanges[3].request.url`. */
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path}: ${problem}`);
    this.path = path;
  }
}
