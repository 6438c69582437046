import { type Page, parsePage } from './read-page.ts';

const page = (name: string, ...lines: readonly string[]): Page =>
  parsePage(`untrue/${name}.md`, lines.join('\n'));

/** What is wrong with a page, the page, and what it fails with. */
export const UNTRUE: readonly (readonly [string, Page, RegExp])[] = [
  [
    'a command that fails',
    page('command', '```sh', 'agent-auth status --no-such-option', '```'),
    /command\.md:1: exit 2, not 0: agent-auth status/,
  ],
  [
    'a command that should fail and does not',
    page('exit', '```sh', 'agent-auth --version    # exit 1', '```'),
    /exit\.md:1: exit 0, not 1/,
  ],
  [
    'other words than those that are printed',
    page('words', '```sh', 'echo one two', '```', '```text', 'one three', '```'),
    /words\.md:4: This was not printed: one three/,
  ],
  [
    'lines in another order',
    page('order', '```sh', 'printf "%s\\n" a b', '```', '```text', 'b', 'a', '```'),
    /order\.md:4: This was not printed: a/,
  ],
  [
    'an output of another section',
    page('section', '```sh', 'echo one', '```', '## Two', '```text', 'one', '```'),
    /section\.md:5: A text shows what the commands above it print/,
  ],
  [
    'another value in JSON',
    page('json', '```sh', `echo '{"a":[1,{"b":2}]}'`, '```', '```json', '{"a":[1,{"b":3}]}', '```'),
    /json\.md:4: This was not printed/,
  ],
  [
    'a transcript that says otherwise',
    page('console', '```console', '$ echo one', 'two', '```'),
    /console\.md:1: echo one does not print: two/,
  ],
  [
    'a block without a kind',
    page('none', '```', 'agent-auth', '```'),
    /none\.md:1: A block has to/,
  ],
  ['a kind that nobody reads', page('kind', '```ruby', 'puts 1', '```'), /kind\.md:1: Nobody runs/],
  [
    'a file that no command uses',
    page('file', '```python', '# test_agent.py', 'pass', '```', '```sh', 'true', '```'),
    /file\.md:1: No command of the page uses test_agent\.py/,
  ],
  [
    'TypeScript that no test knows',
    page('ts', '```ts', 'export const a: string = 1;', '```'),
    /ts\.md:1: snippets\.test\.ts does not know/,
  ],
  [
    'JavaScript that is part of no example',
    page('js', '```js', 'const TASKS = {', '  fly: async () => {', '  // … more', '};', '```'),
    /js\.md:1: Nobody runs or reads a block of js/,
  ],
  [
    'a configuration with an unknown key',
    page('config', '```yaml', 'no_such_key: 1', '```'),
    /config\.md:1: [\s\S]*no_such_key/,
  ],
  [
    'an input that the action does not have',
    page('input', '```yaml', '- uses: OWNER/agent-auth@COMMIT', '  with: { nothing: 1 }', '```'),
    /input\.md:1: OWNER\/agent-auth@COMMIT has no input nothing/,
  ],
  [
    'a step of a workflow with an option that there is not',
    page('step', '```yaml', '- run: npx agent-auth mock up --nothing', '```'),
    /step\.md:1: agent-auth mock up --nothing: no option --nothing/,
  ],
  [
    'a job of GitLab with a command that there is not',
    page('job', '```yaml', 'a:', '  script:', '    - agent-auth mock upp & true', '```'),
    /job\.md:1: agent-auth mock upp: no command upp/,
  ],
  [
    'a configuration in the environment with an unknown key',
    page('env', '```yaml', 'env:', '  AGENT_AUTH_MOCK_CONFIG: "no_such_key: 1"', '```'),
    /env\.md:1: [\s\S]*no_such_key/,
  ],
  [
    'a block of comments alone',
    page('comments', '```sh', '# agent-auth status', '```'),
    /comments\.md:1: There is no command/,
  ],
  [
    'a transcript without a command',
    page('transcript', '```console', 'agent-auth status', '```'),
    /transcript\.md:1: A transcript begins with/,
  ],
  [
    'a command behind one that stays in the terminal',
    page('stays', '```sh', 'agent-auth mock service', 'agent-auth status', '```'),
    /stays\.md:1: What follows needs another terminal/,
  ],
  [
    'Ctrl-C where nothing runs',
    page('ctrl-c', 'Press Ctrl-C.', '```sh', 'true', '```'),
    /ctrl-c\.md:2: Nothing runs/,
  ],
];
