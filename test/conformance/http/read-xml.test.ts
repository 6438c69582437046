import { describe, expect, it } from 'vitest';
import { readXml } from '../../../src/conformance/http/read-xml.ts';

describe('XML, as the suite reads it', () => {
  it('is elements and their texts', () => {
    const text =
      '<?xml version="1.0" encoding="UTF-8"?><a><b>x &amp; y</b><c/><b><![CDATA[<z>]]></b></a>';
    expect(readXml(text)).toEqual({
      encoding: 'utf-8',
      hasDoctype: false,
      root: {
        name: 'a',
        text: '',
        children: [
          { name: 'b', text: 'x & y', children: [] },
          { name: 'c', text: '', children: [] },
          { name: 'b', text: '<z>', children: [] },
        ],
      },
    });
  });

  it('reports a document type, and includes nothing that it declares', () => {
    expect(readXml('<!DOCTYPE a><a/>')).toMatchObject({ hasDoctype: true });
    expect(readXml('<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>')).toHaveProperty('problem');
  });

  it.each([
    ['an ampersand as it is', '<a>x & y</a>'],
    ['an unknown entity', '<a>&nbsp;</a>'],
    ['an element that does not end', '<a><b></a>'],
    ['two roots', '<a/><b/>'],
    ['text beside the root', '<a/>x'],
    ['a control character', '<a>\u0001</a>'],
    ['a NUL that is written as a reference', '<a>&#0;</a>'],
    ['half of a surrogate pair', '<a>\ud800</a>'],
    ['a non-character', '<a>\uffff</a>'],
    ['the end of a CDATA section in a text', '<a>]]></a>'],
    ['two attributes of one name', '<a b="1" b="2"/>'],
    ['a name that is none', '<1a/>'],
    ['nothing', ''],
    ['JSON', '{"a":1}'],
  ])('is not well-formed with %s', (_what, text) => {
    expect(readXml(text)).toHaveProperty('problem');
  });
});
