import type { RouteTool } from '../../../../http/route-tool.ts'

/**
 * The tools of routes in the base, by `operationId`: beside the routes they would be part of every service. Features declare theirs
 * beside their routes.
 */
export const BASE_TOOLS: Readonly<Record<string, RouteTool | readonly RouteTool[]>> = {
  getAccount: {
    title: 'Get the account',
    description: 'Get the account that the assistant acts for. Call it first to sign in.',
    openWorld: false,
  },
  listOwnProfiles: {
    name: 'list_profiles',
    title: 'List own profiles',
    description: 'List the profiles of the account and of its teams.',
    openWorld: false,
  },
  updateActiveProfile: {
    name: 'update_profile',
    title: 'Update a profile',
    description: 'Change fields of a profile of the account; fields that are not given stay.',
  },
  createProfile: {
    title: 'Create a profile',
    description: 'Create a profile of an entity: an organization, place, product, event, agent and others.',
  },
  getLimits: {
    title: 'Get the limits',
    description: 'Get what the plan of the account allows and how much of it is used.',
    openWorld: false,
  },
  listPages: {
    title: 'List own pages',
    description: 'List pages of a profile of the account with their status, also drafts and private ones.',
    openWorld: false,
  },
  getPage: {
    title: 'Get an own page',
    description: 'Get a page of the account for editing: its text, status and version.',
    openWorld: false,
  },
  createPage: {
    title: 'Create a page',
    description: 'Create a page with a Markdown text. It is public immediately unless its status is another one.',
  },
  updatePage: {
    title: 'Update a page',
    description:
      'Change title, text or status of a page. Give the version that was read as if_match, so that changes of others are not lost.',
  },
  deletePage: { title: 'Delete a page', description: 'Delete a page of the account for good.' },
  listPageVersions: {
    title: 'List versions of a page',
    description: 'List earlier versions of a page, newest first.',
    openWorld: false,
  },
  restorePageVersion: { title: 'Restore a version', description: 'Make an earlier version of a page the current one.' },
  listCategories: {
    title: 'List own categories',
    description: 'List the categories of pages of a profile of the account.',
    openWorld: false,
  },
  createCategory: { title: 'Create a category', description: 'Create a category for pages of a profile.' },
  updateCategory: { title: 'Update a category', description: 'Change a category of pages.' },
  reorderContent: { title: 'Reorder content', description: 'Set the order of pages and categories.' },
  getGates: { title: 'Get the gates', description: 'Get the rules and prices for the resources of a profile.' },
  setPrice: { title: 'Set a price', description: 'Set the price of a page, a file or another resource of a profile.' },
  explainAccess: {
    title: 'Explain access',
    description: 'Explain which rule applies to a resource of the account, and what a reader gets.',
    openWorld: false,
  },
  listSales: {
    title: 'List sales',
    description: 'List what was sold by a profile of the account, newest first.',
    openWorld: false,
  },
  getSalesReport: { title: 'Get a sales report', description: 'Get sales of a period in sums.', openWorld: false },
  listPurchases: {
    title: 'List purchases',
    description: 'List what the account bought, newest first.',
    needsAccount: true,
    openWorld: false,
  },
  getReceipt: { title: 'Get a receipt', description: 'Get a signed receipt of a payment.', openWorld: false },
  followProfile: {
    title: 'Follow a profile',
    description: 'Follow a profile, so that its changes and posts are in the own feed.',
  },
  unfollowProfile: { title: 'Unfollow a profile', description: 'Stop following a profile.' },
}
