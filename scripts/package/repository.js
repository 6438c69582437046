/** Where the project lives: `repository` of `package.json` is the one place, `homepage` and `bugs` follow from it. */

const URL_FORM = /^git\+https:\/\/github\.com\/([\w.-]+\/[\w.-]+)\.git$/;

/** @typedef {{ repository?: { type?: string, url?: string } }} Manifest */

/**
 * `OWNER/NAME` of what the manifest names.
 * @returns {string}
 * @throws {Error} where it names none
 */
export function slugOf(/** @type {Manifest} */ { repository }) {
  const slug = URL_FORM.exec(repository?.url ?? '')?.[1];
  if (slug === undefined) {
    throw new Error(
      'package.json: repository is not git+https://github.com/OWNER/NAME.git: npm run repository -- OWNER/NAME',
    );
  }
  return slug;
}

/** What follows from `repository`. */
export function projectFields(/** @type {Manifest} */ manifest) {
  const page = `https://github.com/${slugOf(manifest)}`;
  return { homepage: `${page}#readme`, bugs: `${page}/issues` };
}

/**
 * The manifest with its three fields for another place, the order of its members as it was.
 * @template {Manifest} T
 * @param {T} manifest
 * @param {string} slug `OWNER/NAME`
 * @throws {Error} where that is none
 */
export function moved(manifest, slug) {
  const repository = { type: 'git', url: `git+https://github.com/${slug}.git` };
  if (!URL_FORM.test(repository.url)) throw new Error(`${slug} is not OWNER/NAME.`);
  return { ...manifest, repository, ...projectFields({ repository }) };
}
