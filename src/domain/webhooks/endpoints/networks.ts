import { BlockList, isIP } from 'node:net';
import { isNetwork } from '../../../process/networks.ts';

/** IANA's IPv4 special-purpose ranges, multicast, what is reserved, and the one public address of a cloud's metadata. */
const SPECIAL_V4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/**
 * All that is global in IPv6, and what of it is special: protocol assignments with Teredo, documentation, AS112, 6to4.
 * Outside are loopback, unspecified, v4-mapped, NAT64, discard, private, link-local and multicast addresses.
 */
const GLOBAL_V6 = '2000::/3';
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

/** The machine itself, which `localhost` names. */
export const LOOPBACK: readonly string[] = ['127.0.0.1', '::1'];

const specialV4 = listOf(SPECIAL_V4);
const globalV6 = listOf([GLOBAL_V6]);
const specialV6 = listOf(SPECIAL_V6);

/** Decides which addresses webhooks and senders may go to: public ones, and those of networks that the operator excepts. */
export class Networks {
  readonly #excepted: BlockList;

  /** Takes networks such as `10.1.0.0/16`; throws for what is not one. */
  constructor(excepted: readonly string[] = []) {
    this.#excepted = listOf(excepted);
  }

  /** Whether the operator excepts an address. */
  excepts(address: string): boolean {
    return this.#excepted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  }

  /** Whether the machine itself may be reached, which only an exception allows. */
  get permitsLoopback(): boolean {
    return LOOPBACK.some((address) => this.permits(address));
  }

  /** Takes an address as `net.isIP` knows them. */
  permits(address: string): boolean {
    const family = isIP(address);
    // An IPv6 address with a zone is link-local.
    if (family === 0 || address.includes('%')) return false;
    if (this.excepts(address)) return true;
    if (family === 4) return !specialV4.check(address, 'ipv4');
    return globalV6.check(address, 'ipv6') && !specialV6.check(address, 'ipv6');
  }
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    if (!isNetwork(network)) throw new TypeError(`"${network}" is not a network such as 10.1.0.0/16`);
    const [address, bits] = network.split('/') as [string, string];
    list.addSubnet(address, Number(bits), isIP(address) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
