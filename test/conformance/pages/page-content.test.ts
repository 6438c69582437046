import { describe, expect, it } from 'vitest';
import { Answer } from '../../../src/conformance/http/answer.ts';
import { readContent } from '../../../src/conformance/pages/page-content.ts';

function contentOf(html: string, mediaType = 'text/html') {
  const answer = new Answer(200, [['content-type', mediaType]], html, 1, 1);
  return readContent(answer, 'https://service.example/claim');
}

describe('the content of a page', () => {
  it('is what can be read, without scripts and styles', () => {
    const html =
      '<head><title>t</title></head><body><style>s</style><p>a &amp;\n <b>b</b></p><script>x</script></body>';
    expect(contentOf(html).text).toBe('a & b');
  });

  it('separates what is loaded from what is linked to', () => {
    const { links, loaded } = contentOf(`
      <link rel="stylesheet" href="/s.css"><link rel="canonical" href="https://a.example/">
      <script src="https://cdn.example/x.js"></script><img src="i.png"><a href="https://b.example/">b</a>`);
    expect(loaded).toEqual([
      'https://service.example/s.css',
      'https://cdn.example/x.js',
      'https://service.example/i.png',
    ]);
    expect(links).toEqual(['https://b.example/']);
  });

  it.each([
    ['an element', '<p><x-probe></x-probe></p>', 'x-probe', true],
    ['an attribute', '<input value="a" ONXPROBE="1">', 'onxprobe', true],
    ['an escaped element', '<p>&lt;x-probe&gt;</p>', 'x-probe', false],
    ['an escaped attribute', '<input value="&quot; onxprobe=&quot;1">', 'onxprobe', false],
  ])('finds %s by its name', (_what, html, name, has) => {
    expect(contentOf(html).has(name)).toBe(has);
  });

  it('is empty for what no browser takes for a page', () => {
    const content = contentOf('<x-probe></x-probe>', 'application/json');
    expect([content.has('x-probe'), content.text]).toEqual([false, '']);
  });
});
