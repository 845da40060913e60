// #region feed
/** A post, as far as this client reads it. */
export interface Post {
  readonly id: number
  readonly url: string
  readonly body: string
}

/** Posts as the profile of a token. Call it again with the same key when the answer was lost: there is one post. */
export async function publishPost(service: string, token: string, body: string, key: string): Promise<Post> {
  const response = await fetch(`${service}/feed`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ body }),
  })
  if (!response.ok) throw new Error(`not posted: ${response.status} ${await response.text()}`)
  return (await response.json()) as Post
}

/** Returns the posts of a list that are newer than the post with an id, oldest first: `/feed`, `/feed/u/ada`, `/feed/hashtags/x`. */
export async function postsAfter(service: string, list: string, id = 0): Promise<readonly Post[]> {
  const found: Post[] = []
  for (let cursor = ''; ; ) {
    const response = await fetch(`${service}${list}?limit=100&format=json${cursor}`)
    if (!response.ok) throw new Error(`no posts: ${response.status} ${await response.text()}`)
    const { data, pagination } = (await response.json()) as {
      data: Post[]
      pagination: { next_cursor?: string }
    }
    const isNewer = (post: Post) => post.id > id
    found.push(...data.filter(isNewer))
    // Ids are compared, because the last known post may have been deleted.
    if (pagination.next_cursor === undefined || !data.every(isNewer)) return found.reverse()
    cursor = `&cursor=${pagination.next_cursor}`
  }
}
// #endregion
