import { expect } from 'chai';
import { Cutter, NulSearch, utf16Of } from '../../src/dashboard/pages/imports/text.ts';

const ROWS = 'email,name\nada@example.com,Ada\n';

describe('The text of a file of customers', () => {
  it('is told to be UTF-16 by its mark or its zeros, and by nothing else', () => {
    const little = Buffer.from(ROWS, 'utf16le');
    const big = Buffer.from(ROWS, 'utf16le').swap16();
    const marked = (mark: number[], bytes: Buffer) => Buffer.concat([Buffer.from(mark), bytes]);
    for (const [start, expected] of [
      [little, 'utf-16le'],
      [big, 'utf-16be'],
      // Without Latin letters, only the mark tells.
      [marked([0xff, 0xfe], Buffer.from('имя', 'utf16le')), 'utf-16le'],
      [marked([0xfe, 0xff], Buffer.from('имя', 'utf16le').swap16()), 'utf-16be'],
      [Buffer.from(ROWS), undefined],
      [Buffer.from(`${ROWS.repeat(4)}\0`), undefined],
      [Buffer.from([0xe9, 0x3b]), undefined],
      [Buffer.alloc(0), undefined],
    ] as const) {
      expect(utf16Of(start), start.toString('hex')).to.equal(expected);
    }
  });

  it('has a NUL in a line, however its lines end and wherever it is read from', () => {
    for (const text of ['a\nb\n\0c', 'a\rb\r\0c', 'a\r\nb\r\n\0c\n\0']) {
      for (let at = 0; at <= text.length; at += 1) {
        const search = new NulSearch();
        expect(search.lineIn(text.slice(0, at)) ?? search.lineIn(text.slice(at)), JSON.stringify([text, at])).to.equal(
          3,
        );
      }
    }
    expect(new NulSearch().lineIn(ROWS)).to.equal(undefined);
  });

  it('is cut in the same places however it is read, and in no character', () => {
    const text = `${'a'.repeat(199_999)}😀${'b'.repeat(350_000)}`;
    const cut = (size: number) => {
      const cutter = new Cutter();
      const parts: string[] = [];
      for (let at = 0; at < text.length; at += size) parts.push(...cutter.add(text.slice(at, at + size)));
      return [...parts, cutter.rest];
    };
    const parts = cut(text.length);
    expect(parts.map(({ length }) => length)).to.deep.equal([199_999, 200_000, 150_002]);
    expect(parts.join('') === text && parts.every((part) => part.isWellFormed())).to.equal(true);
    for (const size of [1_000, 65_536, 199_999]) expect(cut(size)).to.deep.equal(parts);
    expect([...new Cutter().add(''), new Cutter().rest]).to.deep.equal(['']);
  });
});
