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
    throw new Error('package.json: set repository to git+https://github.com/OWNER/NAME.git');
  }
  return slug;
}

/** What follows from `repository`. */
export function projectFields(/** @type {Manifest} */ manifest) {
  const slug = slugOf(manifest);
  const [owner, name] = slug.split('/');
  return {
    homepage: `https://${owner}.github.io/${name}/`,
    bugs: `https://github.com/${slug}/issues`,
  };
}
