import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { newSecret, signedHeaders } from '../../../src/domain/webhooks/endpoints/signing.ts';

const BODY = Buffer.from('{"type":"cart.abandoned","data":{"note":"Grüße 😀"}}');

describe('The signature of a delivery', () => {
  it('is that of the specification', () => {
    // The example of the specification's reference libraries.
    const headers = signedHeaders(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      new Date(1_614_265_330_000),
      Buffer.from('{"test": 2432232314}'),
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    );
    expect(headers).to.deep.equal({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('is verified by the library, with either of two secrets, and with no other', () => {
    const [old, current, other] = [newSecret(), newSecret(), newSecret()];
    const headers = signedHeaders('01a1f84a-0000-7000-8000-000000000001', new Date(), BODY, [current, old]);
    for (const secret of [old, current]) {
      expect(new Webhook(secret).verify(BODY, headers)).to.deep.equal(JSON.parse(BODY.toString()));
    }
    expect(() => new Webhook(other).verify(BODY, headers)).to.throw('No matching signature');
    expect(() => new Webhook(old).verify(`${BODY} `, headers)).to.throw('No matching signature');
  });

  it('has secrets of 32 random bytes', () => {
    const secrets = Array.from({ length: 10 }, newSecret);
    expect(new Set(secrets).size).to.equal(10);
    for (const secret of secrets) expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).to.have.length(32);
  });
});
