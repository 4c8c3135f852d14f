import { expect } from 'chai';
import fc from 'fast-check';
import { readHeader } from '../../src/domain/imports/files/columns.ts';
import { readRows } from '../../src/domain/imports/files/read-rows.ts';
import { isWithinLine } from '../../src/domain/imports/files/scan-row.ts';
import { damagedFiles } from '../support/damaged-csv.ts';
import { SOAK_ROUNDS } from '../support/sample.ts';
import { slowness } from '../support/slowness.ts';

interface Row {
  line: number;
  cells: readonly string[];
  problem?: string | undefined;
}

/** Reads a whole file in windows and portions of these sizes. */
function readAll(text: string, { window = 1024 * 1024, maxRows = 1_000, width }: Partial<Options> = {}): Row[] {
  const bytes = Buffer.from(text);
  const rows: Row[] = [];
  let [at, line, doubtfulTo] = [0, 1, 0];
  while (at < bytes.length) {
    const isEnd = at + window >= bytes.length;
    const portion = readRows(bytes.subarray(at, at + window), {
      delimiter: ',',
      maxRows,
      isEnd,
      isWithinLine: isWithinLine(bytes, at),
      doubtfulTo: Math.max(0, doubtfulTo - at),
      ...(width !== undefined && { width }),
    });
    for (const { cells, problem, line: before } of portion.rows) rows.push({ line: line + before, cells, problem });
    expect(portion.end, 'reading goes on').to.be.above(0);
    doubtfulTo = at + (portion.rows.at(-1)?.doubtfulTo ?? doubtfulTo - at);
    at += portion.end;
    line += portion.lines;
  }
  return rows;
}

interface Options {
  window: number;
  maxRows: number;
  width: number;
}

const cells = (text: string, width?: number) =>
  readAll(text, width === undefined ? {} : { width }).map((row) => row.cells);
const problems = (text: string, width?: number) =>
  readAll(text, width === undefined ? {} : { width }).map(({ line, problem }) => [line, problem !== undefined]);

describe('Rows of CSV', () => {
  it('have quoted values, with quotes, delimiters and line breaks in them', () => {
    expect(cells('a,"b,""c""\r\nd"\r\n')).to.deep.equal([['a', 'b,"c"\r\nd']]);
  });

  it('end with any line break, and the last with none', () => {
    expect(cells('a\r\nb\nc\rd')).to.deep.equal([['a'], ['b'], ['c'], ['d']]);
  });

  it('that are empty are left out, and counted as lines', () => {
    expect(readAll('\n\na\n,,\r\n\r\nb').map(({ line, cells: values }) => [line, values[0]])).to.deep.equal([
      [3, 'a'],
      [6, 'b'],
    ]);
  });

  it('have quotes as text in values that do not begin with one, and spaces around quotes', () => {
    expect(cells('5" pipe,"5"" pipe"\na, "b, c" ,d"\n"" ,x\n')).to.deep.equal([
      ['5" pipe', '5" pipe'],
      ['a', 'b, c', 'd"'],
      ['', 'x'],
    ]);
  });

  it('lose one line each where quotes are broken, and closed again', () => {
    expect(problems('a,b\n"c"x,d\n"e" "f",g\nh,i', 2)).to.deep.equal([
      [1, false],
      [2, true],
      [3, true],
      [4, false],
    ]);
    expect(problems('a,b\n"c"x,"d\ne,f"\ng,h', 2)).to.deep.equal([
      [1, false],
      [2, true],
      [3, true],
      [4, false],
    ]);
  });

  it('are not what may be part of a value: each line is one with a problem, until one can not be', () => {
    expect(problems('a,b\n"c,d\ne,f\n\ng,""\nh,"i"\nj,k', 2)).to.deep.equal([
      [1, false],
      [2, true],
      [3, true],
      [5, true],
      [6, false],
      [7, false],
    ]);
    expect(problems('a,b\nx@example.com,"a "note" of\ny@example.com,z\nmore"\ni,j', 2)).to.deep.equal([
      [1, false],
      [2, true],
      [3, true],
      [4, true],
      [5, false],
    ]);
    expect(problems('a,b\n"c,d\ne,f\n",h,k\ni,j', 2)).to.deep.equal([
      [1, false],
      [2, true],
      [3, true],
      [4, true],
      [5, false],
    ]);
  });

  it('are not what is within a value that the last line of a broken one begins', () => {
    const text = 'ada,"Flat 5" upper\nMain St","Call\nbob,mentioned,it\nlater"\ngrace,ok,ok\n';
    expect(problems(text, 3)).to.deep.equal([
      [1, true],
      [2, true],
      [3, true],
      [4, true],
      [5, false],
    ]);
  });

  it('are read on after a value that is too long', () => {
    expect(problems(`a,b\n${'x'.repeat(3_000_000)},c\nd,e\n"${'y,'.repeat(200_000)}"\nf,g`)).to.deep.equal([
      [1, false],
      [2, true],
      [3, false],
      [4, true],
      [5, false],
    ]);
  });

  it('are never the end of a line that is too long, wherever the windows end', () => {
    for (let length = 90; length < 110; length += 1) {
      const rows = readAll(`a\n${'x'.repeat(length)}\nc`, { window: 100 });
      expect(rows[0]?.cells).to.deep.equal(['a']);
      expect(rows[1]?.cells.join('')).to.be.oneOf(['', 'x'.repeat(length)]);
      expect(rows[2]).to.deep.include({ line: 3, cells: ['c'] });
      expect(rows).to.have.length(3);
    }
  });

  it('are found after any number of empty ones', () => {
    const text = Buffer.from(`${',\n'.repeat(250)}a,b\nc,d`);
    const { rows } = readRows(text, { delimiter: ',', maxRows: 1, isEnd: true });
    expect(rows.map(({ line, cells: values }) => [line, values])).to.deep.equal([[250, ['a', 'b']]]);
  });

  it('are read on after a row of nothing but delimiters or quotes that exceeds a window', () => {
    expect(readAll(`a,b\n${','.repeat(300)}\nc,d`, { window: 100 }).at(-1)?.cells).to.deep.equal(['c', 'd']);
    for (const filler of ['"'.repeat(299), '""'.repeat(200)]) {
      const rows = readAll(`a,b\n${filler}\nc,d\n"e","f"`, { window: 100, width: 2 });
      // The next line may be within the quotes.
      expect(rows.slice(-2).map(({ line, cells: values }) => [line, values])).to.deep.equal([
        [3, []],
        [4, ['e', 'f']],
      ]);
    }
  });

  it('are the same, however the file is cut', () => {
    // At least one value has something, or the row would be empty.
    const value = fc.string({ unit: fc.constantFrom('a', 'é', '😀', '"', ',', '\n', '\r', ' ', ';'), maxLength: 6 });
    const table = fc.array(fc.tuple(fc.constantFrom('x', 'y"', 'z,'), value, value), { maxLength: 12 });
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    fc.assert(
      fc.property(
        table,
        fc.constantFrom('\n', '\r\n'),
        fc.integer({ min: 70, max: 200 }),
        fc.integer({ min: 1, max: 5 }),
        (rows, lineBreak, window, maxRows) => {
          const text = rows.map((values) => values.map(quote).join(',') + lineBreak).join('');
          const read = readAll(text, { window, maxRows, width: 3 });
          expect(read).to.deep.equal(readAll(text, { width: 3 }));
          expect(read.map((row) => row.cells)).to.deep.equal(rows);
        },
      ),
      { numRuns: 300 },
    );
  });

  for (const which of ['first', 'middle', 'last'] as const) {
    it(`are all read, though the ${which} one is damaged`, () => {
      fc.assert(
        fc.property(damagedFiles(which), fc.integer({ min: 1, max: 5 }), ({ text, addresses }, maxRows) => {
          const bytes = Buffer.from(text);
          const header = readHeader(bytes, ',');
          const rest = bytes.subarray(header.end).toString();
          const rows = readAll(rest, { maxRows, width: header.columns.length });
          expect(rows.map(({ line }) => line + header.lines)).to.deep.equal(addresses.map((_, i) => 2 + i));
        }),
        { numRuns: 100 * Math.max(1, SOAK_ROUNDS) },
      );
    });
  }

  it('are never made of a part of a value, whatever is inserted into the values before it', () => {
    const notes = ['x\nnote,1', 'x "y"\nnote,1\nz', '\nnote,1\n', 'a, b\n"note",1\n"'].map(
      (note) => `"${note.replaceAll('"', '""')}"`,
    );
    const ids = fc.constantFrom('id', '"id"', '"i,d"');
    const rows = fc.array(fc.tuple(ids, fc.constantFrom('ok', '""', ...notes)), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(rows, fc.nat(), fc.nat(), fc.constantFrom('"', 'x', '5"'), (table, which, where, inserted) => {
        const lines = table.map(([id, note], i) => {
          const at = where % (id.length + 1);
          return `${i === which % table.length ? id.slice(0, at) + inserted + id.slice(at) : id},${note}`;
        });
        const read = readAll(`id,note\n${lines.join('\n')}`, { width: 2 });
        expect(read.map((row) => row.cells[0])).not.to.include('note');
      }),
      { numRuns: 100 * Math.max(1, SOAK_ROUNDS) },
    );
  });

  it('are each listed where a quote of a later one closes the value that is broken', () => {
    for (const lines of [
      ['aa,",ok', 'ab,27" wide,ok', 'ac,ok,ok'],
      ['ea,"27,x', 'eb,27" wide,ok', 'ec,ok,ok'],
      ['"da","","a,b"', 'db,"27" wide,"', 'dc,ok,ok'],
      ['ba,ok,ok', 'bb,",ok', 'bc,27" wide,ok', 'bd,ok,ok'],
      ['ca,ok,ok', 'cb,","x" ', 'cc,"""","open'],
    ]) {
      const read = readAll(lines.join('\n'), { width: 3 });
      expect(read.map(({ line }) => line)).to.deep.equal(lines.map((_, i) => 1 + i));
    }
  });

  it('are no more than asked for, wherever quotes are broken', () => {
    for (const text of ['a,b\nc"d,e\n', 'a,b\n"c,d\n', 'a,b\n"c"d,e\nf,g']) {
      const { rows, end } = readRows(Buffer.from(text), { delimiter: ',', maxRows: 1, isEnd: true, width: 2 });
      expect(rows.map((row) => row.cells)).to.deep.equal([['a', 'b']]);
      expect(end).to.equal(4);
    }
  });

  it('are read in a time that grows with the file, however broken it is', () => {
    const before = process.threadCpuUsage();
    const rows = readRows(Buffer.from('"a,b\n'.repeat(50_000)), { delimiter: ',', maxRows: 1_000, isEnd: true });
    expect(rows.rows).to.have.length.below(20);
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1000).to.be.below(2_000 * slowness());
  });
});
