/** What a call is beside its body; it is stored with its delivery. */
export interface CallRequest {
  method: string;
  /** With its query, as it is sent; null for that of the endpoint. */
  path: string | null;
  /** By their names in lower case. */
  headers: Readonly<Record<string, string>>;
  isSigned: boolean;
}
