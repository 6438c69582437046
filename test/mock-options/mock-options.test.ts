import { readdirSync } from 'node:fs';
import { Server } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { refused, throughCommand, throughConfig, throughLibrary } from './doors.ts';
import { flagsOf, keysOf, membersOf } from './members.ts';
import { type BadValue, type MockCommand, NoDoor, type Row } from './row.ts';

const folder = join(import.meta.dirname, 'rows');
const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
const rows: readonly Row[] = (
  await Promise.all(
    files.map(async (name) => {
      const module = (await import(join(folder, name))) as Record<string, readonly Row[]>;
      return Object.values(module).flat();
    }),
  )
).flat();

const COMMANDS = ['service', 'provider', 'up'] as const;

/** No option of a mock: what it is made of, which a command chooses itself. */
const PORTS = ['clock', 'random', 'fetch', 'guardedFetch', 'sleep', 'delay', 'log', 'db'];

/** No option of a mock: the other doors go through it, or it is about the program. */
/** Those of a replay, which is no mock that is configured, have their tests in test/cli/stories/replay. */
const PROGRAM_FLAGS = [
  ...['--config', '--help', '--from', '--auto', '--provider'],
  // test/cli/mock/servers/environment.test.ts
  '--until-stdin-ends',
];

const commandsOf = ({ of, commands }: Row): readonly MockCommand[] => commands ?? [of, 'up'];
const words = (row: Row) => (row.flag instanceof NoDoor ? [] : row.flag);
const options = (row: Row) => (row.library instanceof NoDoor ? {} : row.library);
const keys = (row: Row) =>
  row.config instanceof NoDoor ? [] : Object.keys(parse(row.config) as object);
const titleOf = (row: Row) => words(row)[0] ?? keys(row)[0] ?? Object.keys(options(row))[0] ?? '';

/** The words and the line of a value that is refused as usual. */
function badFlag(row: Row, { value, flag }: BadValue): readonly [readonly string[], string] {
  const [option = ''] = words(row);
  if (flag !== undefined && flag !== 'usual') return flag;
  return [[option, value], `Invalid ${option} '${value}'.`];
}

function badConfig(row: Row, { value, config = '' }: BadValue): readonly [string, string] {
  if (typeof config !== 'string') return config;
  const [key = ''] = keys(row);
  const usual = row.config instanceof NoDoor ? undefined : (parse(row.config) as object);
  const inList = Array.isArray(Object(usual)[key]);
  const shown = /^-?\d+$/.test(value) ? value : JSON.stringify(value);
  const text = `${key}: ${inList ? `[${shown}]` : shown}`;
  const column = text.indexOf(shown, key.length + 1) + 1;
  return [text, `1:${column}  ${key}${inList ? '.0' : ''}: expected ${config}, not ${shown}`];
}

function badLibrary(row: Row, { value, library = '' }: BadValue): readonly [object, string] {
  if (typeof library !== 'string') return library;
  const [[member = '', usual] = []] = Object.entries(options(row));
  const given = { ...options(row), [member]: Array.isArray(usual) ? [value] : value };
  return [given, `${member} cannot be ${JSON.stringify(value)}. ${library}`];
}

const withPort = (flag: readonly string[]) =>
  flag.includes('--port') ? flag : ['--port', '0', ...flag];
const withPortKey = (text: string) => (/^port:/m.test(text) ? text : `port: 0\n${text}`);

describe.each(rows.map((row) => [`${row.of}: ${titleOf(row)}`, row] as const))(
  '%s',
  (_title, row) => {
    // What flags and files say becomes the options of all commands in one place: one command has the flags, and the
    // other the file.
    const [command = 'up'] = commandsOf(row);
    const other = commandsOf(row).at(-1) ?? 'up';

    it('shows something else without it', async () => {
      const without =
        row.library instanceof NoDoor
          ? await throughCommand(
              row,
              ['mock', command, '--port', '0', ...(row.without?.flag ?? [])],
              row.probe,
            ).catch(String)
          : await throughLibrary(row.of, row.without?.library ?? {}, row.probe);
      expect(without).not.toEqual(row.seen);
    });

    if (!(row.library instanceof NoDoor)) {
      it('works in the library', async () => {
        expect(await throughLibrary(row.of, options(row), row.probe)).toEqual(row.seen);
      });
    }

    if (!(row.flag instanceof NoDoor)) {
      it(`works on the command line of mock ${command}`, async () => {
        const line = ['mock', command, ...withPort(words(row))];
        expect(await throughCommand(row, line, row.probe)).toEqual(row.seen);
      });
    }

    const { config: file } = row;
    if (!(file instanceof NoDoor)) {
      it(`works in the configuration file of mock ${other}`, async () => {
        expect(await throughConfig(row, other, withPortKey(file), row.probe)).toEqual(row.seen);
      });
    }

    for (const bad of row.bad ?? []) {
      const { value } = bad;
      if (bad.flag !== undefined) {
        const flag = badFlag(row, bad);
        it(`refuses ${value} on the command line of mock ${command}`, async () => {
          const listens = vi.spyOn(Server.prototype, 'listen');
          const { code, stdout, stderr, left } = await refused(command, withPort(flag[0]));
          const [line = ''] = stderr.split('\n');
          expect(line).toBe(`✗ ${flag[1]}`);
          expect(line).toContain(words(row)[0]);
          expect(line).toContain(value);
          expect([code, stdout, left, listens.mock.calls]).toEqual([2, '', [], []]);
        });
      }
      if (bad.config !== undefined) {
        const config = badConfig(row, bad);
        it(`refuses ${value} in the file of mock ${other}`, async () => {
          const listens = vi.spyOn(Server.prototype, 'listen');
          const { code, stdout, stderr, left } = await refused(other, [], config[0]);
          const [count, line = ''] = stderr.split('\n');
          expect(count).toBe('✗ The configuration has an error:');
          expect(line.trim().replace(/^\S*mock\.yaml:/, '')).toBe(config[1]);
          expect(line).toContain(keys(row)[0]);
          expect(line).toContain(value);
          expect([code, stdout, left, listens.mock.calls]).toEqual([2, '', [], []]);
        });
      }
      if (bad.library !== undefined) {
        const library = badLibrary(row, bad);
        it(`refuses ${value} in the library`, async () => {
          const starting = throughLibrary(row.of, library[0], async () => 'started');
          await expect(starting).rejects.toThrow(new TypeError(library[1]));
          expect(library[1]).toContain(Object.keys(options(row))[0]);
          expect(library[1]).toContain(value);
        });
      }
    }
  },
);

describe('the table', () => {
  it.each(COMMANDS)('has a row for each option of mock %s', (command) => {
    const known = rows
      .filter((row) => commandsOf(row).includes(command))
      .flatMap((row) => words(row).slice(0, 1));
    expect(flagsOf(command).filter((flag) => ![...known, ...PROGRAM_FLAGS].includes(flag))).toEqual(
      [],
    );
  });

  it.each(COMMANDS)('has a row for each key of the file of mock %s', (command) => {
    const known = rows
      .filter((row) => commandsOf(row).includes(command))
      .flatMap((row) => keys(row).slice(0, 1));
    expect(keysOf(command).filter((key) => !known.includes(key))).toEqual([]);
  });

  it.each(COMMANDS)('names no flag and no key that mock %s has not', (command) => {
    const own = rows.filter((row) => commandsOf(row).includes(command));
    const flags = own.flatMap((row) => words(row).slice(0, 1));
    expect(flags.filter((flag) => !flagsOf(command).includes(flag))).toEqual([]);
    const named = own.flatMap((row) => keys(row).slice(0, 1));
    expect(named.filter((key) => !keysOf(command).includes(key))).toEqual([]);
  });

  it.each(['service', 'provider'] as const)('has a row for each member of the %s', (of) => {
    const members = membersOf(of);
    expect(members).toContain('baseUrl');
    const known = rows
      .filter((row) => row.of === of)
      .flatMap((row) => Object.keys(options(row)).slice(0, 1));
    expect(members.filter((member) => ![...known, ...PORTS].includes(member))).toEqual([]);
  });

  it('gives a reason for each door that is missing', () => {
    const reasons = rows.flatMap((row) =>
      [row.flag, row.config, row.library].filter((door) => door instanceof NoDoor),
    );
    expect(reasons.filter(({ why }) => why.length < 20)).toEqual([]);
  });
});
