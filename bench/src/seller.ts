/** What the seller signs in with. */
export const LOGIN = { email: 'ada@example.com', password: 'Correct horse 7 battery' }

/** The base URL of every measured service, whatever address it listens on. */
export const PUBLIC_URL = 'https://profiles.example'

/** Paths of a seller's profile and of a page that is sold. */
export interface Seller {
  readonly profile: string
  readonly page: string
}

/** The used members of the answer to a registration. */
interface Registered {
  readonly token: string
  readonly user: { readonly active_profile_id: number }
}

async function request(url: string, method: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${url} answered ${response.status}: ${await response.text()}`)
  return response
}

/** Gives a payer the page that the seller of a service sells. Returns the headers that name the payer. */
export async function addReader(url: string): Promise<Readonly<Record<string, string>>> {
  const { token, user } = (await (await request(`${url}/auth/login`, 'POST', LOGIN)).json()) as Registered
  const [wallet, network] = ['0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc', 'eip155:84532']
  const given = { profile_id: user.active_profile_id, tier: 'reader', payer_wallet: wallet, payer_network: network }
  await request(`${url}/manage/entitlements`, 'POST', given, { authorization: `Bearer ${token}` })
  return { 'x-eep-payer-wallet': wallet, 'x-eep-payer-network': network }
}

/** Registers a seller with a profile, an open page and a page that costs money. */
export async function addSeller(url: string): Promise<Seller> {
  const send = (method: string, path: string, body: object, headers: Record<string, string> = {}) =>
    request(url + path, method, body, headers)
  const registered = await send('POST', '/auth/register', { ...LOGIN, username: 'ada' })
  const { token, user } = (await registered.json()) as Registered
  const headers = { authorization: `Bearer ${token}` }
  const bio = 'Writes programs for engines. '.repeat(20)
  await send('PUT', '/profiles/u/ada', { full_name: 'Ada Lovelace', bio, skills: ['analysis', 'engines'] }, headers)
  const page = { profile_id: user.active_profile_id, status: 'published' }
  await send('POST', '/manage/pages', { ...page, title: 'Welcome', body: 'Open.' }, headers)
  const body = 'A paragraph that was paid for. '.repeat(60)
  await send('POST', '/manage/pages', { ...page, title: 'Paid', body }, headers)
  const config = {
    default_tier: 'public',
    tiers: {
      public: { requirements: [], access: ['profile.*', 'content.welcome'] },
      reader: {
        requirements: [{ type: 'payment', amount: 0.01, currency: 'usdc', per: 'year' }],
        access: ['content.*'],
      },
    },
  }
  await send('PUT', '/eep/gates/did:web:profiles.example:u:ada', config, headers)
  return { profile: '/u/ada', page: '/u/ada/content/paid' }
}
