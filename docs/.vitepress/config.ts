// The website of the docs: `npm run docs:site`. The sidebar is the index, docs/README.md.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Item {
  readonly text: string
  readonly link: string
}

const docs = join(import.meta.dirname, '..')
const repository = 'https://github.com/eep-service/eep'

const LINK = /\[([^\]]+)\]\(([^)#]+)\.md\)/g

/** A group of the sidebar for each heading of the index, with the pages it links to. */
function sidebar() {
  const index = readFileSync(join(docs, 'README.md'), 'utf8')
  return index
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const text = section.slice(0, section.indexOf('\n'))
      const items: Item[] = [...section.matchAll(LINK)]
        .filter(([, , path = '']) => !path.startsWith('../'))
        .map(([, name = '', path = '']) => ({ text: name[0]?.toUpperCase() + name.slice(1), link: `/${path}` }))
      return { text, collapsed: false, items }
    })
}

interface Markdown {
  renderer: { rules: { fence?: (...args: never[]) => string } }
  core: { ruler: { push(name: string, rule: (state: { tokens: readonly Token[] }) => void): void } }
  utils: { escapeHtml(text: string): string }
}
interface Token {
  readonly info: string
  readonly content: string
  readonly children: readonly Token[] | null
  readonly type: string
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

/** The anchor of a heading as GitHub makes it, so that links work in both and scripts/links.ts checks them. */
const slugify = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-')

export default {
  title: 'eep',
  description: 'Profiles, gates and payments as a Fastify plugin',
  cleanUrls: true,
  // Pages that exist in the repository only are linked at its address; everything else must be in the site.
  ignoreDeadLinks: false,
  rewrites: { 'README.md': 'index.md' },
  head: [['script', { src: '/mermaid.min.js', defer: '' }]],
  markdown: {
    anchor: { slugify },
    config(md: Markdown) {
      const fence = md.renderer.rules.fence as (tokens: readonly Token[], index: number, ...rest: unknown[]) => string
      // `as never`: the types of markdown-it are not installed in the workspace.
      md.renderer.rules.fence = ((tokens: readonly Token[], index: number, ...rest: unknown[]) => {
        const token = tokens[index]
        if (token?.info.trim() !== 'mermaid') return fence(tokens, index, ...rest)
        return `<pre class="mermaid" v-pre>${md.utils.escapeHtml(token.content)}</pre>`
      }) as never
      md.core.ruler.push('repository-links', ({ tokens }) => {
        for (const token of tokens.flatMap(({ children }) => children ?? [])) {
          const link = token.type === 'link_open' ? token.attrGet('href') : null
          const outside = link && /^(?:\.\.\/)+((?:packages|bench|examples|test)\/.*|[A-Z]+\.md(?:#.*)?)$/.exec(link)
          if (outside) token.attrSet('href', `${repository}/blob/main/${outside[1]}`)
        }
      })
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
    editLink: { pattern: `${repository}/edit/main/docs/:path` },
  },
}
