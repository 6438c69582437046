import { Interrupted } from '../interrupted.ts';
import type { Streams } from './streams.ts';

/** Questions to the person at the terminal. Ask only after `canAsk`. */
export interface Ask {
  confirm(question: string, preset: boolean): Promise<boolean>;
  /** `problem` says what is wrong with an answer, `undefined` when it is good. */
  text(question: string, problem: (answer: string) => string | undefined): Promise<string>;
}

/** Inquirer on stderr: its own default, stdout, belongs to results. */
export function createAsk(streams: Streams): Ask {
  const prompt = async () => {
    const { default: inquirer } = await import('inquirer');
    return inquirer.createPromptModule({
      input: streams.stdin.node,
      output: streams.stderr.node,
    });
  };
  return {
    confirm: async (message, preset) => {
      const answers = await interruptible(
        (await prompt())([{ type: 'confirm', name: 'answer', message, default: preset }]),
      );
      return answers.answer;
    },
    text: async (message, problem) => {
      const answers = await interruptible(
        (await prompt())([
          {
            type: 'input',
            name: 'answer',
            message,
            validate: (answer: string) => problem(answer) ?? true,
          },
        ]),
      );
      return answers.answer;
    },
  };
}

/** Ctrl-C and the end of stdin leave a prompt with `ExitPromptError`. */
async function interruptible<T>(answers: Promise<T>): Promise<T> {
  try {
    return await answers;
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError') throw new Interrupted();
    throw error;
  }
}
