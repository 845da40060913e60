/** `src/first-page.ts`: what an embedded database begins with. */
export const firstPageFile =
  (): string => `// What an empty embedded database begins with: a profile that sells one page. Replace it with your own content, or delete it.
import { randomBytes } from 'node:crypto'
import type { HostDemo } from '@eep/core/host'
import { LOG_START } from '@eep/core/ports'

const OWNER = 'robin@example.com'
const PAGE = '/u/robin/content/first-page'

export const firstPage: HostDemo = {
  owner: OWNER,
  page: PAGE,
  async seed(eep, storage) {
    if ((await storage.read.events.head()) !== LOG_START) return
    // The owner signs in on the page /sandbox, or after a password reset.
    const password = \`Aa1\${randomBytes(24).toString('base64url')}\`
    const { token, account } = await eep.accounts.register({ email: OWNER, password, username: 'robin', fullName: 'Robin Reed' })
    await storage.transaction((tx) => tx.accounts.save(account.id, { emailVerified: true, emailOwned: true }))
    const caller = await eep.accounts.authenticate(token)
    const profile = await eep.profiles.find('person', 'robin', caller)
    const payment = { type: 'payment', amount: 1, currency: 'usd', per: 'once' } as const
    // The price comes before the page, so the page is never open.
    await eep.gates.putConfig(
      eep.profiles.didOf(profile),
      {
        default_tier: 'public',
        tiers: {
          public: { requirements: [], access: ['profile.*'] },
          reader: { label: 'Reader', requirements: [payment], access: ['content.*'] },
        },
      },
      caller,
    )
    await eep.content.pages.create(
      {
        profileId: profile.id,
        categoryId: null,
        title: 'First page',
        excerpt: 'What everyone may read of it.',
        body: 'You have bought this page.',
        status: 'published',
      },
      caller,
    )
  },
  hints: async (_eep, url) => \`Try it:\\n  curl -i \${url}\${PAGE}\\n\`,
}
`
