/** Addresses of networks that are not public, and a few of each. */
const IPV4 = [
  ['0.0.0.0', '0.0.0.1', '0.255.255.255'],
  ['10.0.0.0', '10.0.0.1', '10.1.2.3', '10.255.255.255'],
  ['100.64.0.1', '100.100.100.200', '100.127.255.254'],
  ['127.0.0.1', '127.0.0.53', '127.1.1.1', '127.255.255.254'],
  ['169.254.0.1', '169.254.169.254', '169.254.170.2', '169.254.255.255'],
  ['172.16.0.1', '172.17.0.1', '172.20.10.1', '172.31.255.255'],
  ['192.0.0.1', '192.0.0.170', '192.0.2.1', '192.88.99.1'],
  ['192.168.0.1', '192.168.1.1', '192.168.99.100', '192.168.255.255'],
  ['198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1'],
  ['224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255'],
].flat()

const IPV6 = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002:a00:1::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fdff:ffff::1',
  'fe80::1',
  'febf::1',
  'fec0::1',
  'ff02::1',
  'ff05::2',
]

const NAMES = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'printer.local',
  'router.local.',
  'metadata.google.internal',
  'db.internal',
  'db.internal.',
  'local',
  'internal',
]

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const hex = (value: number) => `0x${value.toString(16)}`
const parts = (address: string) => address.split('.').map(Number)

/** Spellings of an IPv4 address that URLs accept. */
const spellings = (address: string): readonly string[] => {
  const [a = 0, b = 0, c = 0, d = 0] = parts(address)
  return [
    String(numberOf(address)),
    hex(numberOf(address)),
    `0${numberOf(address).toString(8)}`,
    parts(address).map(hex).join('.'),
    parts(address)
      .map((part) => `0${part.toString(8)}`)
      .join('.'),
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${address}.`,
    address.replaceAll('.', '%2e'),
    address.replaceAll('.', '\u3002'),
    `[::ffff:${address}]`,
  ]
}

const SPELT = [
  '127.0.0.1',
  '10.0.0.1',
  '169.254.169.254',
  '192.168.0.1',
  '172.16.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '0.0.0.0',
  '172.31.255.255',
]

/** URLs that the service must not request, whatever they resolve to. */
export const PRIVATE_ADDRESSES: readonly string[] = [
  ...[...IPV4, ...SPELT.flatMap(spellings), ...IPV6.map((address) => `[${address}]`), ...NAMES].map(
    (host) => `https://${host}/`,
  ),
  ...['22', '25', '80', '3000', '5432', '6379', '8080', '9200', '11211', '27017'].map(
    (port) => `https://site.example:${port}/`,
  ),
  'https://user@site.example/',
  'https://user:password@site.example/',
  'https://site.example@127.0.0.1/',
  'https://127.0.0.1#@site.example/',
  'https://127.0.0.1\\@site.example/',
  'https://127.0.0.1?site.example',
  ' https://127.0.0.1/',
  'https:127.0.0.1/',
  'https:\\\\127.0.0.1/',
  'https://\uff11\uff12\uff17.0.0.1/',
  'https://\u2460\u2461\u2466.0.0.1/',
  'http://site.example/',
  'http://169.254.169.254/latest/meta-data/',
  'ftp://site.example/',
  'file:///etc/passwd',
  'gopher://site.example:70/1',
  'dict://site.example:2628/',
  'ws://site.example/',
  'data:text/html,hello',
  'javascript:alert(1)',
  'blob:https://site.example/0',
  'about:blank',
  'unix:/var/run/docker.sock',
  '//127.0.0.1/',
  '/etc/passwd',
  'site.example',
  'https://',
  'https:///',
  'https://[::1',
  'https://256.256.256.256/',
  'https://0x7f.1.1.1.1/',
]
