import { expect } from 'chai';
import { rowsFile } from '../../src/dashboard/components/rows-file.ts';

const { signal } = new AbortController();

describe('The dashboard: files of tables', () => {
  it('have a column for each field, also of rows that are not shown yet', async () => {
    async function* all() {
      yield { id: '1', total: 2, labels: ['a'], is_new: true, ended_at: null };
      yield { id: '2', total: 3, is_new: false, labels: [] };
    }
    const file = rowsFile(
      'Orders: of „Löwe“',
      [{ id: '1', total: 2, labels: ['a'], is_new: true, ended_at: null }],
      all,
    );
    expect(file.name).to.equal('orders-of-löwe.csv');
    expect(file.header).to.deep.equal(['id', 'total', 'labels', 'is_new', 'ended_at']);
    expect(await Array.fromAsync(file.rows(signal))).to.deep.equal([
      ['1', 2, '["a"]', 'true', null],
      ['2', 3, '[]', 'false', null],
    ]);
  });

  it('have the rows that there are, of a table that is no list', async () => {
    const file = rowsFile('Sums', [{ sum: 1 }, { sum: 2 }]);
    expect(await Array.fromAsync(file.rows(signal))).to.deep.equal([[1], [2]]);
  });
});
