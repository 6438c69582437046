import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { table } from '../dependency-cruiser.config.js';

// Who may import whom is dependency-cruiser.config.js; what a linter can say is biome.json.

/** Places that may read the clock, wait, and take random numbers by themselves: biome.json has them too. */
const EFFECTS_IN = [
  /^src\/runtime\/system[^/]*\.ts$/,
  /^src\/mock\/http\/serve[^/]*\.ts$/,
  /^src\/agent\/credentials\//,
  /^src\/cli\//,
];

/** `fault`, and not `default`: a layer on top of the mocks, which nothing below it mentions. */
const FAULT = /(?<!de)fault/i;

const MAY_NAME_FAULTS = [
  /^src\/[a-z-]+\/faults\//,
  // The controls list and switch faults by name; the audit trail names them.
  /^src\/mock\/controls\//,
  // Its buttons switch them.
  /^src\/mock\/live\//,
  /^src\/mock\/audit\/audit\.ts$/,
  // The option, the assembly, and the doors.
  /^src\/mock-(service|provider)\/options\.ts$/,
  /^src\/mock-service\/(mock-service\.ts$|assembly\/)/,
  /^src\/mock-provider\/mock-provider\.ts$/,
  /^src\/mock-(service|provider)\/index\.ts$/,
];

/** Names that `nested` and `first` write and the wire contract's own dialect does not. */
const OF_OTHER_DIALECTS =
  /\b(register_uri|claim_uri|revocation_uri|complete_ur[il]|claim_link|skill_uri|supported_identity_types|requested_credential_type|credential_types?(_supported)?|credential_expires|otp|(pre|post)_claim|agent_reg_\w+|refresh_token)\b/g;

/** The adapters; the credential file's own schema; faults, which add what nobody asked for; sign-ins of the standard. */
const MAY_NAME_OTHERS = [
  /^src\/(agent|mock-service)\/dialects\//,
  /^src\/agent\/credentials\//,
  /^src\/mock-service\/faults\//,
  // Of OpenID Connect.
  /^src\/agent\/provider\//,
];

const root = join(import.meta.dirname, '..');

function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .map((path) => path.split(sep).join('/'));
}

const sources = filesUnder('src')
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Where sources have what matches, but for the places that may, each as `path: match`. */
function elsewhere(pattern: RegExp, allowed: readonly RegExp[], of = /^src\//): string[] {
  return sources
    .filter(({ path }) => of.test(path) && !allowed.some((place) => place.test(path)))
    .flatMap(({ path, text }) =>
      [...text.matchAll(new RegExp(pattern, `${pattern.flags.replace('g', '')}g`))].map(
        ([match]) => `${path}: ${match}`,
      ),
    );
}

/** Places of which no file has what they allow. */
function idle(pattern: RegExp, allowed: readonly RegExp[]): RegExp[] {
  return allowed.filter(
    (place) => !sources.some(({ path, text }) => place.test(path) && pattern.test(text)),
  );
}

describe('the architecture', () => {
  it('has only TypeScript under src', () => {
    // But for the style sheets of the live view, and what a room says of itself.
    const isSource = (path: string) =>
      /\.tsx?$|^src\/live\/style\/[\w-]+\.css$|\/README\.md$/.test(path);
    expect(filesUnder('src').filter((path) => !isSource(path))).toEqual([]);
  });

  it('has no time limit that a garbage collection may take away: startDeadline holds its own', () => {
    expect(elsewhere(/\bAbortSignal\s*\.\s*timeout\s*\(/, [])).toEqual([]);
  });

  it('takes time and random numbers from its ports', () => {
    const effect =
      /\bDate(\.now|\['now'\])|\bDate\(\)|\bMath\.random|\bcrypto\.(getRandomValues|randomUUID)/;
    expect(elsewhere(effect, EFFECTS_IN)).toEqual([]);
  });

  it('imports by plain strings, so that what is loaded can be known', () => {
    expect(elsewhere(/\bimport\((?!\s*')/, [])).toEqual([]);
  });

  it('imports its own files by the names that they have', () => {
    expect(elsewhere(/\bfrom '\.[^']*\.js'/, [])).toEqual([]);
  });

  it('has no folder and no file under src that the table of imports does not know', () => {
    expect(readdirSync(join(root, 'src')).toSorted()).toEqual(Object.keys(table).toSorted());
  });

  it('names faults in the layer on top of the mocks alone', () => {
    expect(elsewhere(FAULT, MAY_NAME_FAULTS, /^src\/mock(-service|-provider)?\//)).toEqual([]);
    expect(idle(FAULT, MAY_NAME_FAULTS)).toEqual([]);
  });

  it('knows members of another dialect in its adapters alone', () => {
    const places = /^src\/(agent|mock-service)\//;
    expect(elsewhere(OF_OTHER_DIALECTS, MAY_NAME_OTHERS, places)).toEqual([]);
  });

  it('names test files in kebab-case, too', () => {
    const odd = filesUnder('test').filter(
      (path) => !/\/(README\.md|[a-z0-9-]+(\.[a-z0-9-]+)*)$/.test(path),
    );
    expect(odd).toEqual([]);
  });
});
