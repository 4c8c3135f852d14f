/** Where people of a store sign in by its identity provider; and where that leads back to. */
export const signInPath = (storeId: string) => `/dashboard/sign-in/${storeId}`;
export const callbackPath = (storeId: string) => `${signInPath(storeId)}/callback`;
