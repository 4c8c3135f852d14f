import { expect } from 'chai';
import { keyOfText, Secrets, Unopenable } from '../../src/domain/secrets/secrets.ts';

const [OLD, NEW] = [keyOfText('o'.repeat(32)), keyOfText('n'.repeat(32))];
const PLACE = ['sender', 'a-store', 'an-id', 'password'];

function reasonOf(open: () => unknown): string {
  try {
    open();
  } catch (error) {
    if (error instanceof Unopenable) return error.reason;
    throw error;
  }
  return 'opened';
}

describe('Secrets', () => {
  it('opens what was sealed, and seals the same text differently each time', () => {
    const secrets = new Secrets([NEW]);
    for (const text of ['', 'pässwörd 😀', 'x'.repeat(10_000)]) {
      expect(secrets.open(secrets.seal(text, PLACE), PLACE)).to.equal(text);
    }
    expect(secrets.seal('same', PLACE)).not.to.equal(secrets.seal('same', PLACE));
    expect(secrets.seal('visible', PLACE)).not.to.contain('visible');
  });

  it('opens by each key, as long as it is there', () => {
    const sealed = new Secrets([OLD]).seal('mine', PLACE);
    expect(new Secrets([NEW, OLD]).open(sealed, PLACE)).to.equal('mine');
    expect(reasonOf(() => new Secrets([NEW]).open(sealed, PLACE))).to.equal('unknown_key');
    const sealedAgain = new Secrets([NEW, OLD]).seal('mine', PLACE);
    expect(new Secrets([NEW]).open(sealedAgain, PLACE), 'the first seals').to.equal('mine');
  });

  it('opens nothing for another place, and nothing that was altered', () => {
    const secrets = new Secrets([NEW]);
    const sealed = secrets.seal('mine', PLACE);
    const elsewhere = [
      ['sender', 'another-store', 'an-id', 'password'],
      ['sender', 'a-store', 'another-id', 'password'],
      ['sender', 'a-storean-id', 'password'],
    ];
    for (const place of elsewhere) expect(reasonOf(() => secrets.open(sealed, place))).to.equal('altered');
    const [id, content = ''] = sealed.split('.');
    for (let i = 0; i < content.length; i += 1) {
      const other = content[i] === 'A' ? 'Q' : 'A';
      const altered = `${id}.${content.slice(0, i)}${other}${content.slice(i + 1)}`;
      expect(
        reasonOf(() => secrets.open(altered, PLACE)),
        `character ${i}`,
      ).to.equal('altered');
    }
    for (let length = 0; length < content.length - 1; length += 1) {
      expect(reasonOf(() => secrets.open(`${id}.${content.slice(0, length)}`, PLACE))).to.equal('altered');
    }
    for (const text of ['', '.', 'x', `${id}x.${content}`]) {
      expect(reasonOf(() => secrets.open(text, PLACE))).to.equal('unknown_key');
    }
  });

  it('signs with the first key, and knows the signatures of all', () => {
    const [before, after] = [new Secrets([OLD]), new Secrets([NEW, OLD])].map((one) => one.derive('message-tokens'));
    const signature = before?.sign('data') as Buffer;
    expect(signature).to.have.length(32);
    expect(after?.verify('data', signature)).to.equal(true);
    expect(before?.verify('data', after?.sign('data') as Buffer)).to.equal(false);
    expect(new Secrets([NEW]).derive('message-tokens').verify('data', signature)).to.equal(false);
  });

  it('takes short signatures, but none that could be guessed, nor those of another purpose', () => {
    const secrets = new Secrets([NEW]);
    const signer = secrets.derive('message-tokens');
    const short = signer.sign('data', 16);
    expect(short).to.have.length(16);
    expect(signer.verify('data', short)).to.equal(true);
    expect(signer.verify('date', short)).to.equal(false);
    for (const length of [0, 1, 15]) expect(signer.verify('data', short.subarray(0, length))).to.equal(false);
    expect(signer.verify('data', Buffer.concat([signer.sign('data'), Buffer.of(0)]))).to.equal(false);
    expect(secrets.derive('something-else').verify('data', short)).to.equal(false);
  });
});
