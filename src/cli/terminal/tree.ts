/** A line with branches below it. */
export interface Branch {
  readonly text: string;
  readonly below?: readonly Branch[];
}

/** A tree as lines: `├─`, `└─` and `│` in front of each but the first. */
export function tree({ text, below = [] }: Branch): string {
  return [
    text,
    ...below.flatMap((branch, index) => under(branch, index === below.length - 1)),
  ].join('\n');
}

function under(branch: Branch, isLast: boolean): readonly string[] {
  const [first = '', ...rest] = tree(branch).split('\n');
  return [
    `${isLast ? '└─' : '├─'} ${first}`,
    ...rest.map((line) => `${isLast ? '  ' : '│ '} ${line}`),
  ];
}
