import { expect } from 'chai';
import { countSegments, firstOutside } from '../../src/domain/templates/core/sms/segments.ts';

describe('Segments of text messages', () => {
  const of = (text: string) => {
    const { count, encoding } = countSegments(text);
    return [count, encoding];
  };

  it('have 160 characters of the alphabet of phones, or 153 each', () => {
    expect(of('')).to.deep.equal([0, 'gsm7']);
    expect(of('a'.repeat(160))).to.deep.equal([1, 'gsm7']);
    expect(of('a'.repeat(161))).to.deep.equal([2, 'gsm7']);
    expect(of('ä'.repeat(306))).to.deep.equal([2, 'gsm7']);
    expect(of('a'.repeat(307))).to.deep.equal([3, 'gsm7']);
    expect(of('a'.repeat(1530))).to.deep.equal([10, 'gsm7']);
    expect(of('a'.repeat(1531))).to.deep.equal([11, 'gsm7']);
  });

  it('have room for half as many of those that take two places, none of which is cut', () => {
    expect(of('€'.repeat(80))).to.deep.equal([1, 'gsm7']);
    expect(of('€'.repeat(81))).to.deep.equal([2, 'gsm7']);
    // 76 of them are 152 places: the 153rd stays empty.
    expect(of('€'.repeat(152))).to.deep.equal([2, 'gsm7']);
    expect(of('€'.repeat(153))).to.deep.equal([3, 'gsm7']);
  });

  it('have 70 of other characters, or 67 each, and an emoji takes two', () => {
    expect(of('ł'.repeat(70))).to.deep.equal([1, 'ucs2']);
    expect(of('ł'.repeat(71))).to.deep.equal([2, 'ucs2']);
    expect(of('ł'.repeat(134))).to.deep.equal([2, 'ucs2']);
    expect(of('ł'.repeat(135))).to.deep.equal([3, 'ucs2']);
    expect(of('😀'.repeat(35))).to.deep.equal([1, 'ucs2']);
    expect(of('😀'.repeat(66))).to.deep.equal([2, 'ucs2']);
    expect(of('😀'.repeat(67))).to.deep.equal([3, 'ucs2']);
  });

  it('tell which character makes them short', () => {
    expect(firstOutside('Grüße, 5 € [sic] {}')).to.equal(undefined);
    expect(firstOutside('ab„c')).to.deep.equal({ character: '„', at: 2 });
    expect(firstOutside('a😀')).to.deep.equal({ character: '😀', at: 1 });
  });
});
