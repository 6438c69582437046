import { describe, expect, it } from 'vitest';
import { matchTemplate } from '../../../src/mock-service/directory/routes.ts';

const find = (templates: readonly string[], path: string) =>
  matchTemplate(
    templates.map((template) => ({ template: `${template}.{format}` })),
    path.split('/'),
  )?.template.replace('.{format}', '');

describe('the template of a path', () => {
  it.each<[what: string, templates: string[], path: string, expected: string | undefined]>([
    ['a literal one', ['/list'], 'list', '/list'],
    ['a variable one', ['/{id}'], 'list', '/{id}'],
    ['the literal one, listed first', ['/list', '/{id}'], 'list', '/list'],
    ['the literal one, listed last', ['/{id}', '/list'], 'list', '/list'],
    ['literal in the earlier segment', ['/{a}/menu', '/x/{b}'], 'x/menu', '/x/{b}'],
    ['the first of equals', ['/{a}', '/{b}'], 'x', '/{a}'],
    ['none that is longer', ['/{a}/{b}'], 'x', undefined],
    ['none that is shorter', ['/{a}'], 'x/y', undefined],
    ['none of another literal', ['/lists', '/List'], 'list', undefined],
    ['none that is variable in part', ['/{a}-b', '/x{a}'], 'x-b', undefined],
  ])('is %s', (_what, templates, path, expected) => {
    expect(find(templates, path)).toBe(expected);
  });

  it('ends in the format, else it is none', () => {
    for (const template of ['', '/list', 'list.{format}', '/list.json', '/.{format}']) {
      expect(matchTemplate([{ template }], ['list'])).toBeUndefined();
    }
  });
});
