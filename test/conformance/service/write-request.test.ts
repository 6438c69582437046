import { describe, expect, it } from 'vitest';
import { readWriteRequest } from '../../../src/conformance/service/write-request.ts';

describe('a write that is named', () => {
  it.each([
    [
      'POST /api/notes {"text":"x y"}',
      {
        method: 'POST',
        url: '/api/notes',
        body: { type: 'application/json', text: '{"text":"x y"}' },
      },
    ],
    [
      'patch https://api.example.test/notes/7 text=x&tag=y',
      {
        method: 'PATCH',
        url: 'https://api.example.test/notes/7',
        body: { type: 'application/x-www-form-urlencoded', text: 'text=x&tag=y' },
      },
    ],
    ['DELETE /api/notes/7', { method: 'DELETE', url: '/api/notes/7', body: undefined }],
  ])('is read: %s', (text, read) => {
    expect(readWriteRequest(text)).toEqual(read);
  });

  it.each([
    ['', 'It begins with POST, PUT, PATCH, DELETE'],
    ['GET /api/notes', 'It begins with POST, PUT, PATCH, DELETE'],
    ['POST', 'After POST comes a path'],
    ['POST api/notes', 'After POST comes a path'],
    ['POST ftp://host/notes', 'After POST comes a path'],
    ['POST /api/notes {"text":', 'Its body is not JSON'],
    ['POST /api/notes text', 'Its body is a JSON object or list, or a form'],
  ])('is refused with what is wrong: %s', (text, message) => {
    expect(() => readWriteRequest(text)).toThrow(message);
  });
});
