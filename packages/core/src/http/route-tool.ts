/**
 * A tool for assistants that a route becomes, when the feature `mcp` is on. A call is a request to the route, with everything that this
 * means: validation, scopes, gates, payments and limits. Its input has the path parameters, the query and the body of the route as one
 * flat object.
 */
export interface RouteTool {
  /** Default: the `operationId` in snake case. Routes with different `when` may share a name. */
  readonly name?: string | undefined
  /** For people: `Send a message`. */
  readonly title: string
  /** For models, at most 300 characters: what it does and when to use it. Never text that users wrote. */
  readonly description: string
  /** Values of members that callers do not choose. */
  readonly set?: Readonly<Record<string, string | number | boolean>> | undefined
  /** Members that are left out. */
  readonly hide?: readonly string[] | undefined
  /**
   * The member that is the id of a profile. Default: `profile_id`. The tool has the member `profile` in its place, which takes a username
   * too, and which callers leave out that act for one profile only.
   */
  readonly profile?: string | undefined
  /** The value of one more member that selects this route among those of the tool: `{ action: 'accept' }`. */
  readonly when?: Readonly<Record<string, string>> | undefined
  /** Whether the result is the JSON of the response or its text, as Markdown. Default: `structured`. */
  readonly returns?: 'structured' | 'text' | undefined
  /** The greatest length of a text, in characters. Default: 50,000. */
  readonly maxChars?: number | undefined
  /** Whether it is for callers with an account only, although the route is public. Default: false. */
  readonly needsAccount?: boolean | undefined
  /** Whether the result has texts that other people wrote. Default: that of routes that read. */
  readonly openWorld?: boolean | undefined
}
