import { anchorOf } from '../../scripts/site/places.js';

/** What a link can lead to in a page of Markdown: its headings as GitHub names them, and explicit anchors. */
export function anchorsIn(markdown: string): ReadonlySet<string> {
  const prose = withoutBlocks(markdown);
  const headings = [...prose.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = '']) => heading);
  const seen = new Map<string, number>();
  const slugs = headings.map((heading) => {
    const slug = slugOf(heading);
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
  const explicit = [...prose.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id);
  return new Set([...slugs, ...explicit]);
}

/** The relative links of a page, those to its pictures too, as `path#anchor`. */
export function relativeLinks(markdown: string): readonly string[] {
  const prose = withoutBlocks(markdown).replace(/`[^`\n]*`/g, '');
  return [
    ...prose.matchAll(/\]\(([^)\s]+)\)/g),
    ...prose.matchAll(/<(?:img|source) [^>]*src(?:set)?="([^"]+)"/g),
  ]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function withoutBlocks(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```/gm, '');
}

function slugOf(heading: string): string {
  return anchorOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'));
}
