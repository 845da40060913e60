import type { McpObject } from '../../../../ports/mcp-toolkit.ts'

/** The documents of the service that are listed, as far as it serves them. */
const DOCUMENTS = [
  { path: '/.well-known/eep/agent-guide.md', title: 'Guide for agents' },
  { path: '/llms.txt', title: 'Overview for language models' },
  { path: '/docs/payments', title: 'Guide to payments' },
] as const

export const isServiceDocument = (path: string): boolean => DOCUMENTS.some((each) => each.path === path)

/** Lists the documents of the service. */
export const serviceDocuments = (host: string, has: (path: string) => boolean): readonly McpObject[] =>
  DOCUMENTS.filter(({ path }) => has(path)).map(({ path, title }) => ({
    uri: `eep://${host}${path}`,
    name: path,
    title,
    mimeType: 'text/markdown',
  }))

/** The resources whose URIs are not listed. */
export const resourceTemplates = (host: string, has: (path: string) => boolean): readonly McpObject[] => [
  {
    uriTemplate: `eep://${host}/{prefix}/{username}`,
    name: 'profile',
    title: 'Profile',
    description: 'The profile of a person (u), organization (o), place (l), product (p), event (e) or other entity',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: `eep://${host}/{prefix}/{username}/content/{+path}`,
    name: 'page',
    title: 'Page',
    description: 'A page of a profile, or a category of pages',
    mimeType: 'text/markdown',
  },
  ...(has('/files/:id')
    ? [
        {
          uriTemplate: `eep://${host}/files/{id}`,
          name: 'file',
          title: 'File',
          description: 'The text of a document as Markdown; the bytes of an image and of other files up to 1 MiB',
        },
      ]
    : []),
  ...(has('/feed')
    ? [
        {
          uriTemplate: `eep://${host}/feed/{prefix}/{username}`,
          name: 'feed',
          title: 'Posts of a profile',
          mimeType: 'text/markdown',
        },
      ]
    : []),
]
