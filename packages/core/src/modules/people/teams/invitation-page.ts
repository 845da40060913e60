import type { FrontendUrls } from '../../../model/frontend-links.ts'

/** The page on which an invitation is answered, by its token or, for the account that it is for, by its id. */
export function invitationPage({ acceptInvitation }: Pick<FrontendUrls, 'acceptInvitation'>, token: string): string {
  const link = new URL(acceptInvitation)
  link.searchParams.set('token', token)
  return link.href
}
