import { projectFields, slugOf } from '../package/repository.js';
import { problemsOf } from './sections.js';

/**
 * @typedef {object} Found of a clone, which is all that can be looked at without asking anybody
 * @property {import('../package/repository.js').Manifest & { version: string }} manifest
 * @property {string} changelog
 * @property {string} readme
 * @property {boolean} hasLicense
 * @property {readonly string[]} otherNames the files that have another owner, name or version
 * @property {readonly string[]} remotes URLs
 * @property {readonly string[]} tags
 * @property {boolean} isCommitted
 */

/**
 * What is missing for the release of the version in `package.json`, and what to do about each, in that order.
 * @returns {readonly string[]} a line each
 */
export function missingFor(/** @type {Found} */ found) {
  const { manifest, remotes, tags } = found;
  const slug = slugOf(manifest);
  const tag = `v${manifest.version}`;
  const fields = Object.entries(projectFields(manifest));
  const wrong = fields.filter(([field, value]) => Reflect.get(manifest, field) !== value);
  const isThere = remotes.some((url) => url.replace(/\.git$/, '').endsWith(slug));
  return [
    ...problemsOf(found.changelog, manifest.version),
    ...(found.hasLicense ? [] : ['LICENSE is missing: write the licence that package.json names.']),
    ...wrong.map(([field, value]) => `package.json: set ${field} to ${value}.`),
    ...found.otherNames.map(
      (path) => `${path} has another owner, name or version. Type: node scripts/package/names.js`,
    ),
    ...(found.isCommitted ? [] : ['Something is not committed. Type: git commit -a']),
    ...(isThere
      ? []
      : [
          `No remote is ${slug}. Make that repository, then type: git remote add origin https://github.com/${slug}.git && git push -u origin HEAD. If it is another one, set repository in package.json.`,
        ]),
    ...(/no version is published yet/.test(found.readme)
      ? [
          'README says that no version is published. The first is published by hand: npm ci && npm publish --access public. Then take that sentence away, and let the registry trust release.yml (scripts/release/README.md).',
        ]
      : []),
    ...(tags.includes(tag)
      ? []
      : [`There is no tag ${tag}. Last of all, type: git tag ${tag} && git push origin ${tag}`]),
  ];
}

/** What no clone shows. */
export const BY_HAND = [
  'In the settings of the repository, Pages has GitHub Actions as its source: pages.yml publishes the site.',
  'In the settings of the package at npm, release.yml is its trusted publisher. No token is needed.',
];
