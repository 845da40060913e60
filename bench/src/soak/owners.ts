import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LivingPage } from './journal.ts'
import { type Answer, type Headers, jsonOf, type Requests, type Wanted } from './requests.ts'

const PASSWORD = 'Correct horse 7 battery'
/** Occurs in the sold pages only. */
export const SOLD_WORD = 'xyzzy-sold-goods'
const LIVING_PAGES = 6
const PARAGRAPH = 'A paragraph about engines, looms and the numbers that they weave. '

/** An account that writes, with its profile. */
export interface Owner {
  readonly name: string
  readonly profileId: number
  readonly did: string
  /** The path of the page that is sold. */
  readonly paid: string
  readonly living: readonly LivingPage[]
  /** Ids of its files, oldest first. */
  readonly files: number[]
  headers: Headers
}

/** The text of a revision of a page. */
export const textOf = (revision: number): string => `Revision ${revision}.\n\n${PARAGRAPH.repeat(12)}`
/** The revision of a text; undefined when it has none. */
export const revisionOf = (text: string): number | undefined => {
  const found = /Revision (\d+)\./.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

export interface OwnersDeps {
  readonly requests: Requests
  readonly url: string
  /** The data directory of the host, into which it writes emails. */
  readonly dataDir: string
  readonly receiverUrl: string
}

/** Registers owners with pages, a sold page and a webhook. */
export function createOwners({ requests, url, dataDir, receiverUrl }: OwnersDeps) {
  async function must(wanted: Wanted): Promise<Answer> {
    const answer = await requests.request(url, wanted)
    if (answer.status >= 300) throw new Error(`${wanted.method} ${wanted.path}: ${answer.status} ${answer.body}`)
    return answer
  }

  /** Returns the token of the email that asks an address to be verified. */
  async function emailedToken(email: string): Promise<string> {
    const directory = join(dataDir, 'mail')
    for (const end = Date.now() + 60_000; Date.now() < end; await sleep(50)) {
      for (const name of await readdir(directory).catch(() => [])) {
        const text = (await readFile(join(directory, name), 'utf8')).replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
        const token = text.includes(email) ? /token=([\w.-]+)/.exec(text)?.[1] : undefined
        if (token !== undefined) return token
      }
    }
    throw new Error(`No email for ${email} arrived`)
  }

  async function signIn(name: string): Promise<Headers> {
    const answer = await must({
      method: 'POST',
      path: '/auth/login',
      body: { email: `${name}@example.com`, password: PASSWORD },
    })
    return { authorization: `Bearer ${jsonOf<{ readonly token: string }>(answer).token}` }
  }

  async function addOwner(name: string): Promise<Owner> {
    const email = `${name}@example.com`
    const registered = await must({
      method: 'POST',
      path: '/auth/register',
      body: { email, password: PASSWORD, username: name },
    })
    const { user } = jsonOf<{ readonly user: { readonly active_profile_id: number } }>(registered)
    const headers = await signIn(name)
    await must({ method: 'POST', path: '/auth/verify', body: { token: await emailedToken(email) }, headers })
    const profileId = user.active_profile_id
    const did = `did:web:profiles.example:u:${name}`
    const bio = PARAGRAPH.repeat(8)
    await must({ method: 'PUT', path: `/profiles/u/${name}`, body: { full_name: name, bio }, headers })
    const addPage = async (title: string, body: string) => {
      const page = { profile_id: profileId, title, body, status: 'published' }
      const { id, slug } = jsonOf<{ readonly id: number; readonly slug: string }>(
        await must({ method: 'POST', path: '/manage/pages', body: page, headers }),
      )
      return { id, path: `/u/${name}/content/${slug}` }
    }
    const living: LivingPage[] = []
    for (let index = 0; index < LIVING_PAGES; index++) {
      const page = await addPage(`Living ${index}`, textOf(0))
      living.push({ ...page, revision: 0, isBusy: false, acknowledged: [] })
    }
    const sold = await addPage('Sold', `${SOLD_WORD}. ${PARAGRAPH.repeat(20)}`)
    const slug = sold.path.split('/').at(-1)
    const config = {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*', 'content.*', 'files.*'] },
        reader: {
          requirements: [{ type: 'payment', amount: 0.01, currency: 'usdc', per: 'year' }],
          access: [`content.${slug}`],
        },
      },
    }
    await must({ method: 'PUT', path: `/eep/gates/${did}`, body: config, headers })
    const subscription = {
      source_did: did,
      event_types: ['content.published'],
      delivery_method: 'webhook',
      delivery_url: receiverUrl,
    }
    await must({ method: 'POST', path: '/eep/subscribe', body: subscription, headers })
    return { name, profileId, did, paid: sold.path, living, files: [], headers }
  }

  return {
    async add(count: number): Promise<readonly Owner[]> {
      const owners: Owner[] = []
      for (let index = 0; index < count; index++) owners.push(await addOwner(`owner-${index}`))
      return owners
    },
    /** Signs in again, because sessions end. */
    async refresh(owner: Owner): Promise<void> {
      owner.headers = await signIn(owner.name)
    },
  }
}
