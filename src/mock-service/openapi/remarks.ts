import { displayText } from '../../protocol/index.ts';

/** Characters. */
const LONGEST_NAME = 200;

/** What is otherwise than described, by what it is: the operations of one remark are named together. */
export class Remarks {
  readonly #names = new Map<string, string[]>();

  /**
   * Both come from the description, so they are made safe for a terminal.
   * @param remark what follows the name and a colon.
   */
  add(name: string, remark: string): void {
    const shown = displayText(remark);
    const names = this.#names.get(shown) ?? [];
    names.push(displayText(name, LONGEST_NAME));
    this.#names.set(shown, names);
  }

  sentences(): readonly string[] {
    return [...this.#names].map(([remark, names]) => `${names.join(', ')}: ${remark}.`);
  }
}
