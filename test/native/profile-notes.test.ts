import { expect } from 'chai';
import type { Client } from '../support/client.ts';
import { until } from '../support/process.ts';
import { TestService } from '../support/service.ts';

describe('Notes about customers', () => {
  let service: TestService;
  let storeId: string;
  let key: { id: string; key: string };
  let client: Client;

  before(async () => {
    service = await TestService.start();
    storeId = await service.newStore();
    key = await service.newKey({ storeId, name: 'Till' });
    client = (await service.client()).as(key.key);
  });
  after(() => service.stop());

  const customer = async (email: string): Promise<string> =>
    (await client.post('/v1/profiles/upsert', { identifiers: { email } }, { expect: 201 })).body.id;
  const write = (id: string, text: unknown, expected = 201) =>
    client.post(`/v1/profiles/${id}/notes`, { text }, { expect: expected });
  const list = async (id: string, query = '') =>
    (await client.get(`/v1/profiles/${id}/notes${query}`, { expect: 200 })).body;
  const textsOf = async (id: string) => (await list(id)).notes.map(({ text }: { text: string }) => text);

  describe('POST /v1/profiles/{id}/notes', () => {
    it('keeps a text with who wrote it and when', async () => {
      const id = await customer('one@shop.example');
      const { body } = await write(id, ' Called.\nWants decaf 😀 ');
      const { created_at, id: noteId, ...note } = body;
      expect(note).to.deep.equal({
        profile_id: id,
        text: ' Called.\nWants decaf 😀 ',
        author: { kind: 'key', id: key.id, name: 'Till' },
      });
      expect(Date.parse(created_at)).to.be.closeTo(Date.now(), 60_000);
      expect((await list(id)).notes).to.deep.equal([body]);
      expect(noteId).to.be.a('string');
    });

    it('refuses what is no text, by the name of the field, and of nobody', async () => {
      const id = await customer('two@shop.example');
      for (const text of ['', '  \n', 'x'.repeat(2_001), 7, null, undefined, 'a\0b', '\ud800']) {
        expect((await write(id, text, 400)).body.error.field, JSON.stringify(text)).to.equal('text');
      }
      await write(id, 'x'.repeat(2_000));
      for (const nobody of ['nobody', '01a1f83b-f806-7e4e-a294-c062c525643d']) await write(nobody, 'x', 404);
      const stranger = await service.client();
      await stranger.post(`/v1/profiles/${id}/notes`, { text: 'x' }, { expect: 404 });
    });

    it('takes 500 of a customer', async () => {
      const id = await customer('three@shop.example');
      await service.database.query(`
        insert into profile_note (store_id, profile_id, id, text, author_kind, author_id, created_at)
        select '${storeId}', '${id}', gen_random_uuid(), 'x', 'key', '${key.id}', now() from generate_series(1, 499)`);
      const answers = await Promise.all(
        [1, 2, 3].map(() => client.post(`/v1/profiles/${id}/notes`, { text: 'one more' })),
      );
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([201, 400, 400]);
    });

    it('keeps those of both where customers are merged, and takes none before there are fewer', async () => {
      const [winner, other] = [await customer('full@shop.example'), await customer('also-full@shop.example')];
      for (const id of [winner, other]) {
        await service.database.query(`
          insert into profile_note (store_id, profile_id, id, text, author_kind, author_id, created_at)
          select '${storeId}', '${id}', gen_random_uuid(), 'x', 'key', '${key.id}', now() from generate_series(1, 300)`);
      }
      await client.post(`/v1/profiles/${winner}/merge`, { from: other }, { expect: 202 });
      const count = async () =>
        (
          await service.database.query<{ n: number }>(
            `select count(*)::int as n from profile_note where profile_id = '${winner}'`,
          )
        )[0]?.n;
      await until(async () => (await count()) === 600, 'the notes are moved');
      expect((await write(winner, 'one more', 400)).body.error.message).to.include('500 notes');
    });

    it('writes one for a key that is sent again', async () => {
      const id = await customer('four@shop.example');
      const body = { text: 'once', idempotency_key: 'note-1' };
      const first = await client.post(`/v1/profiles/${id}/notes`, body, { expect: 201 });
      const again = await client.post(`/v1/profiles/${id}/notes`, body, { expect: 201 });
      expect(again.body).to.deep.equal(first.body);
      expect(await textsOf(id)).to.deep.equal(['once']);
    });
  });

  describe('GET /v1/profiles/{id}/notes', () => {
    it('lists them page by page, the latest first', async () => {
      const id = await customer('five@shop.example');
      for (const text of ['1', '2', '3']) await write(id, text);
      const first = await list(id, '?limit=2');
      const second = await list(id, `?limit=2&cursor=${first.next_cursor}`);
      const texts = [...first.notes, ...second.notes].map(({ text }) => text);
      expect(texts).to.deep.equal(['3', '2', '1']);
      expect(second.next_cursor).to.equal(null);
      await (await service.client()).get(`/v1/profiles/${id}/notes`, { expect: 404 });
    });

    it('has those of both once customers are merged, and none of who was erased', async () => {
      const [winner, loser] = [await customer('six@shop.example'), await customer('seven@shop.example')];
      await write(winner, 'of the one');
      await write(loser, 'of the other');
      await client.post(`/v1/profiles/${winner}/merge`, { from: loser }, { expect: 202 });
      await until(async () => (await list(winner)).notes.length === 2, 'the notes are moved');
      await write(loser, 'by the former id');
      expect(await textsOf(winner)).to.have.members(['of the one', 'of the other', 'by the former id']);
      const { body } = await client.get(`/v1/profiles/${winner}/export`, { expect: 200 });
      expect(JSON.stringify(body)).to.include('of the other');
      await client.post('/v1/erasures', { profile_id: winner }, { expect: 202 });
      await until(async () => {
        const [row] = await service.database.query<{ n: number }>(
          `select count(*)::int as n from profile_note where store_id = '${storeId}' and profile_id = '${winner}'`,
        );
        return row?.n === 0;
      }, 'the notes are erased');
    });
  });

  describe('DELETE /v1/profiles/{id}/notes/{note_id}', () => {
    it('deletes one, of this customer alone', async () => {
      const [id, other] = [await customer('noted@shop.example'), await customer('unnoted@shop.example')];
      const { body: note } = await write(id, 'wrong');
      const remove = (profile: string, noteId: string, expected: number) =>
        client.send('DELETE', `/v1/profiles/${profile}/notes/${noteId}`, undefined, { expect: expected });
      await remove(other, note.id, 404);
      await remove(id, 'nothing', 404);
      expect((await remove(id, note.id, 200)).body).to.deep.equal(note);
      await remove(id, note.id, 404);
      expect(await textsOf(id)).to.deep.equal([]);
    });
  });
});
