/** What `error` in `--json` holds, and `next` in it and elsewhere. `help errors` prints it. */
export const ERROR_MEMBERS: Readonly<Record<string, string>> = {
  code: 'What happened, for programs: stable, in snake_case.',
  message: 'What happened and what state things are in, for people. It may change.',
  hint: 'What a person can do, as a sentence; null where next says it all.',
  next: 'The command that goes on from here; null where nothing can be typed.',
  'next.argv': 'It to be run without a shell: one element a word, the program first.',
  'next.line': 'It to be pasted into a shell: argv, quoted.',
  'next.needs':
    'Elements of argv that only a person can fill in, such as EMAIL; empty: run it as it is.',
  others: 'In results with several ways on: the rest of them, each like next.',
  retryable: 'Whether the same command can succeed later without anybody changing anything.',
  exit_code: 'The exit code of the command; help exit-codes says what it means.',
};
