// src/domain/catalog/prices.ts
var MAX_CURRENCIES = 30;
var MAX_DIGITS = 15;
var MAX_DECIMALS = 4;
var CURRENCY = /^[A-Z]{3}$/;
var MEMBERS = /* @__PURE__ */ new Set(["price", "compare_at"]);
function checkPrices(prices) {
  const currencies = Object.entries(prices);
  if (currencies.length > MAX_CURRENCIES)
    return { path: [], problem: `must not have more than ${MAX_CURRENCIES} currencies` };
  for (const [currency, price] of currencies) {
    if (!CURRENCY.test(currency)) {
      return { path: [currency], problem: "is not a currency: use its code of ISO 4217, such as EUR" };
    }
    const violation = checkPrice(price);
    if (violation) return { path: [currency, ...violation.path], problem: violation.problem };
  }
  return void 0;
}
function checkPrice(price) {
  if (typeof price !== "object" || price === null || Array.isArray(price)) {
    return { path: [], problem: "must be an object with a price" };
  }
  for (const [member, amount] of Object.entries(price)) {
    if (!MEMBERS.has(member)) return { path: [member], problem: "is not a known field" };
    const problem = problemOfAmount(amount);
    if (problem) return { path: [member], problem };
  }
  return "price" in price ? void 0 : { path: ["price"], problem: "is required" };
}
function problemOfAmount(amount) {
  if (typeof amount !== "number" || !Number.isFinite(amount)) {
    return `must be a number of at most ${MAX_DIGITS} digits, such as 19.9`;
  }
  if (amount < 0) return "must not be less than 0";
  const [whole = "", decimals = ""] = String(amount).split(".");
  if (String(amount).includes("e") || decimals.length > MAX_DECIMALS) {
    return `must not have more than ${MAX_DECIMALS} digits after the point`;
  }
  return whole.length + decimals.length > MAX_DIGITS ? `must not have more than ${MAX_DIGITS} digits` : void 0;
}

// src/domain/catalog/feeds/amounts.ts
var NUMBER = /\d[\d.,'\s\u00a0\u202f]*/;
var CODE = /(?<![A-Za-z])([A-Z]{3})(?![A-Za-z])/;
var SIGNS = {
  "\u20AC": "EUR",
  $: "USD",
  "\xA3": "GBP",
  "\xA5": "JPY",
  "\u20BD": "RUB",
  "\u20B9": "INR"
};
function readAmount(text, defaultCurrency) {
  const [number] = NUMBER.exec(text) ?? [];
  const sign = Object.keys(SIGNS).find((one) => text.includes(one));
  const currency = CODE.exec(text)?.[1] ?? (sign ? SIGNS[sign] : void 0) ?? defaultCurrency;
  if (number === void 0 || /-\s*\d/.test(text)) return "is not an amount of money";
  if (currency === void 0) return "has no currency";
  const digits = number.replace(/['\s\u00a0\u202f]/g, "").replace(/[.,]$/, "");
  const value = Number(withPoint(digits));
  return problemOfAmount(value) ?? { value, currency };
}
function withPoint(digits) {
  const [point, comma] = [digits.lastIndexOf("."), digits.lastIndexOf(",")];
  const last = Math.max(point, comma);
  if (last < 0) return digits;
  const mark = digits[last];
  const isOnly = digits.indexOf(mark) === last && Math.min(point, comma) < 0;
  const isGrouping = digits.indexOf(mark) !== last || isOnly && mark === "," && digits.length - last === 4;
  if (isGrouping) return digits.replace(/[.,]/g, "");
  return `${digits.slice(0, last).replace(/[.,]/g, "")}.${digits.slice(last + 1)}`;
}
function priceOf(price, sale) {
  if (!sale || sale.currency !== price.currency) return { [price.currency]: { price: price.value } };
  return { [price.currency]: { price: sale.value, compare_at: price.value } };
}

// src/domain/catalog/feeds/product.ts
var NAMES = {
  id: ["id", "external_id", "product_id", "variant_id"],
  group: ["item_group_id", "item_id", "parent_id"],
  title: ["title", "name"],
  description: ["description"],
  url: ["link", "url", "product_url", "canonical_link"],
  image: ["image_link", "image_url", "image_full_url", "image"],
  images: ["additional_image_link", "additional_image_links", "images"],
  brand: ["brand", "vendor", "manufacturer"],
  sku: ["sku", "mpn"],
  price: ["price"],
  sale: ["sale_price"],
  during: ["sale_price_effective_date"],
  available: ["availability"],
  stock: ["stock", "inventory", "quantity", "inventory_quantity", "sell_on_google_quantity"],
  categories: ["product_type", "category", "categories"]
};
var KNOWN = new Set(Object.values(NAMES).flat());
var TARGETS = {
  ...{ id: "id", group: "item_id", title: "title", description: "description", url: "url", image: "image_url" },
  ...{ images: "images", brand: "brand", sku: "sku", price: "price", sale: "sale_price", during: "sale_period" },
  ...{ available: "availability", stock: "stock", categories: "categories" }
};
function becomesOf(column) {
  const name = normal(column);
  const known = Object.keys(NAMES);
  const what = known.find((one) => NAMES[one].includes(name));
  return what ? TARGETS[what] : "attribute";
}
var MAX_IMAGES = 20;
var [MAX_LEVELS, MAX_TITLE, MAX_ID] = [8, 500, 255];
var SOLD_OUT = ["out_of_stock", "oos", "sold_out", "discontinued", "no", "false", "0"];
function toProduct(record, currency, now = /* @__PURE__ */ new Date()) {
  const byName = new Map(Object.entries(record).map(([name, value]) => [normal(name), value]));
  const found = (what) => {
    for (const name of NAMES[what]) {
      const value = byName.get(name);
      const text2 = Array.isArray(value) ? value.join(",") : value === null || value === void 0 ? "" : String(value);
      if (text2.trim() !== "") return [name, text2.trim()];
    }
    return void 0;
  };
  const text = (what) => found(what)?.[1];
  const id = text("id");
  if (id === void 0) return { column: "id", problem: "is missing" };
  if (id.length > MAX_ID) return { column: "id", problem: `is longer than ${MAX_ID} characters` };
  const faults = [];
  const money = (what) => {
    const [column, written] = found(what) ?? [];
    if (column === void 0 || written === void 0) return void 0;
    const amount = readAmount(written, currency);
    if (typeof amount !== "string") return amount;
    faults.push({ column, problem: amount });
    return void 0;
  };
  const [price, sale] = [money("price"), isDuring(text("during"), now) ? money("sale") : void 0];
  const stock = stockOf(found("stock"), faults);
  const [fault] = faults;
  if (fault) return { ...fault, itemId: text("group") ?? id };
  const sold = {
    ...given("url", text("url")),
    ...given("image_url", text("image")),
    ...given("sku", text("sku")),
    ...price && { prices: priceOf(price, sale) },
    ...stock !== void 0 && { stock },
    ...availability(text("available")),
    attributes: attributesOf(byName)
  };
  const about = {
    title: (text("title") ?? id).slice(0, MAX_TITLE).toWellFormed(),
    ...given("description", text("description")),
    ...given("brand", text("brand"))
  };
  const categories = text("categories") ? pathsOf(text("categories")) : [];
  const group = text("group");
  if (group === void 0 || group === id) {
    const images = text("images")?.split(",").map((one) => one.trim()).filter(Boolean).slice(0, MAX_IMAGES);
    return { patch: { id, fields: { ...sold, ...about, ...images && { images } } }, categories };
  }
  const { url, image_url } = sold;
  const fields = { ...about, ...url && { url }, ...image_url && { image_url } };
  return { patch: { id: group, fields, variants: [{ id, fields: sold }] }, categories };
}
function given(name, value) {
  return value === void 0 ? {} : { [name]: value };
}
function normal(name) {
  return name.trim().toLowerCase().replace(/^g:/, "").replace(/[\s-]+/g, "_");
}
function stockOf(given2, faults) {
  if (!given2) return void 0;
  const number = Number(given2[1]);
  if (Number.isInteger(number) && Math.abs(number) < 2 ** 31) return number;
  faults.push({ column: given2[0], problem: "is not a whole number of pieces" });
  return void 0;
}
function isDuring(period, now) {
  const [from, to] = (period ?? "").split("/").map((one) => Date.parse(one));
  if (from === void 0 || to === void 0 || Number.isNaN(from) || Number.isNaN(to)) return true;
  return from <= now.getTime() && now.getTime() < to;
}
function availability(text) {
  return text === void 0 ? {} : { available: !SOLD_OUT.includes(normal(text)) };
}
function pathsOf(text) {
  return text.split(text.includes(">") ? /\s*,\s*(?=[^,>]+>)|\s*[|;]\s*/ : /\s*[,|;]\s*/).map(
    (path) => path.split(">").map((title) => title.trim()).filter(Boolean).slice(0, MAX_LEVELS)
  ).filter((path) => path.length > 0);
}
function attributesOf(byName) {
  const others = [...byName].filter(
    ([name, value]) => !KNOWN.has(name) && name !== "" && value !== "" && value !== null
  );
  return Object.fromEntries(others);
}

// src/db/jsonb-binary.ts
function jsonbBytes(value) {
  if (typeof value === "string") return textBytes(value);
  if (typeof value === "number") return numberBytes(value);
  if (typeof value !== "object" || value === null) return String(value).length;
  let bytes = 0;
  if (Array.isArray(value)) {
    for (const item of value) bytes += jsonbBytes(item) + SEPARATOR;
  } else {
    for (const key in value) bytes += fieldBytes(key, jsonbBytes(value[key]));
  }
  return Math.max(EMPTY, bytes);
}
var SEPARATOR = 2;
var EMPTY = 2;
function fieldBytes(key, valueBytes) {
  return textBytes(key) + 2 + valueBytes + SEPARATOR;
}
var ESCAPED = /["\\\p{Cc}]/u;
function textBytes(text) {
  return ESCAPED.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2;
}
function numberBytes(value) {
  const text = String(value);
  const [mantissa = "", exponent] = text.split("e");
  if (exponent === void 0) return text.length;
  const sign = value < 0 ? 1 : 0;
  const digits = mantissa.replace(/[-.]/g, "").length;
  return Number(exponent) > 0 ? sign + Number(exponent) + 1 : sign + 1 - Number(exponent) + digits;
}

// src/domain/canonical/text.ts
var VISIBLE = /[^\p{DI}\u2800\ufff9-\ufffb]/u;
function isVisible(text) {
  return VISIBLE.test(text);
}

// src/domain/lossless-json.ts
function problemOfUnstorable(value) {
  return typeof value === "symbol" ? value.description : void 0;
}
var SUSPECT_TEXT = /\\u(?:00(?:00|[5-7])|[dD][89a-fA-F])|__proto__/;
var SUSPECT_NUMBER = /\d(?:[\d.]{15}|[eE][+-]?\d\d)/;
function parseLosslessJson(text) {
  return SUSPECT_TEXT.test(text) || SUSPECT_NUMBER.test(text) ? JSON.parse(text, markUnstorable) : JSON.parse(text);
}
function markUnstorable(key, value, context) {
  const badKey = problemOfText(key) ?? (key === "__proto__" ? "is not allowed as a name" : void 0);
  if (badKey) return Symbol(badKey);
  if (typeof value === "string") {
    const problem = problemOfText(value);
    return problem ? Symbol(problem) : value;
  }
  if (typeof value === "number" && context?.source !== void 0 && !isLossless(context.source, value)) {
    return /* @__PURE__ */ Symbol("is a number that would lose digits; send it as a string");
  }
  return value;
}
function problemOfText(text) {
  const nul = text.indexOf("\0");
  if (nul !== -1) return `contains a NUL character${lineOf(text, nul)}`;
  if (!text.isWellFormed()) return "contains a lone surrogate";
  return void 0;
}
function lineOf(text, place) {
  const breaks = /\r\n|\r|\n/g;
  if (!breaks.test(text)) return "";
  return ` on its line ${text.slice(0, place).split(breaks).length}`;
}
function isLossless(source, number) {
  const literal = significant(source);
  const shortest = significant(String(number));
  if (literal.digits === shortest.digits && literal.exponent === shortest.exponent) return true;
  return isPrintOf(literal, number);
}
function significant(source) {
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  const all = (whole + fraction).replace(/^0+/, "");
  let end = all.length;
  while (all[end - 1] === "0") end -= 1;
  if (end === 0) return { digits: "0", exponent: 0 };
  return { digits: all.slice(0, end), exponent: Number(exponent) - fraction.length + all.length - end };
}
var MAX_DIGITS2 = 767;
var MANTISSA_BITS = 52n;
var LEAST_POWER = -1075;
var double = new DataView(new ArrayBuffer(8));
function isPrintOf({ digits, exponent }, number) {
  if (number === 0 || !Number.isFinite(number) || digits.length > MAX_DIGITS2) return false;
  double.setFloat64(0, Math.abs(number));
  const bits = double.getBigUint64(0);
  const biased = bits >> MANTISSA_BITS;
  const fraction = BigInt.asUintN(Number(MANTISSA_BITS), bits);
  const mantissa = biased === 0n ? fraction : fraction | 1n << MANTISSA_BITS;
  const power = Math.max(Number(biased), 1) + LEAST_POWER;
  const unit = 10n ** BigInt(Math.max(exponent, 0)) << BigInt(Math.max(-power, 0));
  const exact = mantissa * 10n ** BigInt(Math.max(-exponent, 0)) << BigInt(Math.max(power, 0));
  const apart = 2n * (BigInt(digits) * unit - exact);
  return apart <= unit && -apart <= unit;
}

// src/domain/free-form.ts
var MAX_DEPTH = 10;
var MAX_STRING_BYTES = 100 * 1024;
function checkFreeForm(value) {
  return checkObject(value, 1);
}
function checkObject(value, depth) {
  if (depth > MAX_DEPTH) return { path: [], problem: `is nested deeper than ${MAX_DEPTH} levels` };
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) {
      const violation = checkItem(value[i], i, depth);
      if (violation) return violation;
    }
  } else {
    for (const key in value) {
      const violation = checkItem(value[key], key, depth);
      if (violation) return violation;
    }
  }
  return void 0;
}
function checkItem(item, step, depth) {
  if (typeof item === "string") {
    if (item.length * 3 <= MAX_STRING_BYTES || Buffer.byteLength(item) <= MAX_STRING_BYTES) return void 0;
    return { path: [step], problem: "is longer than 100 KB" };
  }
  if (typeof item !== "object" || item === null) {
    const problem = problemOfUnstorable(item);
    return problem === void 0 ? void 0 : { path: [step], problem };
  }
  const violation = checkObject(item, depth + 1);
  return violation && { path: [step, ...violation.path], problem: violation.problem };
}

// src/domain/catalog/feeds/check-product.ts
var LONGEST = {
  title: 500,
  description: 32768,
  brand: 255,
  sku: 255,
  url: 2048,
  image_url: 2048
};
var URLS = ["url", "image_url"];
var [MAX_CATEGORIES, MAX_CATEGORY, MAX_ATTRIBUTES] = [50, 255, 400];
var [ITEM_KB, VARIANT_KB] = [100, 4];
function checkProduct({ patch, categories }) {
  if (categories.length > MAX_CATEGORIES) {
    return { path: ["categories"], problem: `must not have more than ${MAX_CATEGORIES} items` };
  }
  const title = categories.flat().find((one) => one.length > MAX_CATEGORY || hasUnstorable(one));
  if (title !== void 0) {
    return { path: ["categories"], problem: `must have titles of at most ${MAX_CATEGORY} characters` };
  }
  for (const { id, fields } of [patch, ...patch.variants ?? []]) {
    if (hasUnstorable(id)) return { path: ["id"], problem: "has a character that cannot be stored" };
    const violation = checkFields(fields, fields === patch.fields ? ITEM_KB : VARIANT_KB);
    if (violation) return violation;
  }
  return void 0;
}
function checkFields(fields, mostKb) {
  for (const [name, value] of Object.entries(fields)) {
    const problem = typeof value === "string" ? problemOfText2(name, value) : void 0;
    if (problem !== void 0) return { path: [name], problem };
  }
  const { prices, images, attributes } = fields;
  const ofPrices = prices && checkPrices(prices);
  if (ofPrices) return { ...ofPrices, path: ["prices", ...ofPrices.path] };
  const ofImages = images?.map((url) => problemOfText2("image_url", url)).find(Boolean);
  if (ofImages) return { path: ["images"], problem: ofImages };
  return attributes && checkAttributes(attributes, mostKb);
}
function problemOfText2(name, value) {
  const longest = LONGEST[name] ?? Number.POSITIVE_INFINITY;
  if (value.length > longest) return `must not be longer than ${longest} characters`;
  if (hasUnstorable(value)) return "has a character that cannot be stored";
  if (name === "title" && !isVisible(value)) return "must not consist of invisible characters";
  const isUrl = !URLS.includes(name) || /^https?:\/\//i.test(value) && URL.canParse(value);
  return isUrl ? void 0 : "must be a URL that begins with https:// or http://";
}
function checkAttributes(attributes, mostKb) {
  const path = ["attributes"];
  if (Object.keys(attributes).length > MAX_ATTRIBUTES) {
    return { path, problem: `must not have more than ${MAX_ATTRIBUTES} properties` };
  }
  for (const [name, value] of Object.entries(attributes)) {
    if (hasUnstorable(name) || typeof value === "string" && hasUnstorable(value)) {
      return { path: [...path, name.slice(0, 100)], problem: "has a character that cannot be stored" };
    }
  }
  const violation = checkFreeForm(attributes);
  if (violation) return { ...violation, path: [...path, ...violation.path] };
  if (jsonbBytes(attributes) <= mostKb * 1024) return void 0;
  return { path, problem: `must not take more than ${mostKb} KB as JSON` };
}
function hasUnstorable(text) {
  return text.includes("\0") || !text.isWellFormed();
}

// src/domain/catalog/feeds/fetch.ts
var FeedUnavailable = class extends Error {
  name = "FeedUnavailable";
};

// src/domain/catalog/feeds/join-products.ts
function categoryIdOf(path) {
  return path.join(" > ").slice(0, 255).toWellFormed();
}

// src/domain/catalog/feeds/not-a-feed.ts
var NotAFeed = class extends Error {
  name = "NotAFeed";
};

// src/domain/imports/files/scan-row.ts
var [CR, LF, SPACE, QUOTE] = [13, 10, 32, 34];
function scanRow(text, from, delimiter) {
  const cells = [];
  let isStrict = true;
  for (let at = from; ; at += 1) {
    const quote = skipSpaces(text, at);
    if (text[quote] === QUOTE) {
      const closing = closingQuote(text, quote + 1);
      if (closing === void 0) return { fault: "not_closed", quote };
      cells.push(text.toString("utf8", quote + 1, closing).replaceAll('""', '"'));
      at = skipSpaces(text, closing + 1);
      if (!endsValue(text, at, delimiter)) return { fault: "closed_early", quote };
    } else {
      const start = at;
      while (!endsValue(text, at, delimiter)) {
        if (text[at] === QUOTE) isStrict = false;
        at += 1;
      }
      cells.push(text.toString("utf8", start, at));
    }
    if (text[at] !== delimiter) return { cells, end: endOfLine(text, at), isStrict };
  }
}
function evenEnd(text, from) {
  let isEven = true;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === QUOTE) isEven = !isEven;
    else if (isEven && isBreak(text[at])) return endOfLine(text, at);
  }
  return isEven ? text.length : void 0;
}
function endOfValueBefore(text, from, delimiter) {
  for (let at = text.indexOf(QUOTE, from); at !== -1; at = text.indexOf(QUOTE, at)) {
    if (text[at + 1] === QUOTE) {
      at += 2;
      continue;
    }
    const after = skipSpaces(text, at + 1);
    if (!endsValue(text, after, delimiter)) return from;
    if (endsValue(text, at - 1, delimiter)) return Number.POSITIVE_INFINITY;
    if (text[after] !== delimiter) return endOfLine(text, after);
    const rest = scanRow(text, after + 1, delimiter);
    return "fault" in rest ? Number.POSITIVE_INFINITY : rest.end;
  }
  return from;
}
function hasLoneQuote(text, from, delimiter) {
  for (let at = from; at < text.length && !isBreak(text[at]); at += 1) {
    if (text[at] !== QUOTE) continue;
    if (text[at + 1] !== QUOTE) return !endsValue(text, skipSpaces(text, at + 1), delimiter);
    at += 1;
  }
  return false;
}
function endOfLine(text, from) {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === LF) return at + 1;
    if (text[at] === CR) return text[at + 1] === LF ? at + 2 : at + 1;
  }
  return text.length;
}
function skipBreaks(text, from) {
  let at = from;
  while (text[at] === CR || text[at] === LF) at += 1;
  return at;
}
function countBreaks(text, from, to) {
  let breaks = 0;
  for (let at = from; at < to; at += 1) {
    if (text[at] === LF || text[at] === CR && text[at + 1] !== LF) breaks += 1;
  }
  return breaks;
}
function isBreak(byte) {
  return byte === void 0 || byte === CR || byte === LF;
}
function endsValue(text, at, delimiter) {
  return text[at] === delimiter || isBreak(text[at]);
}
function skipSpaces(text, from) {
  let at = from;
  while (text[at] === SPACE) at += 1;
  return at;
}
function closingQuote(text, from) {
  for (let at = text.indexOf(QUOTE, from); at !== -1; at = text.indexOf(QUOTE, at + 2)) {
    if (text[at + 1] !== QUOTE) return at;
  }
  return void 0;
}

// src/domain/imports/files/read-rows.ts
var MAX_ROW_BYTES = 256 * 1024;
var MAX_BROKEN = 10;
function readRows(text, options) {
  return new Reader(text, options).read();
}
var Reader = class {
  #text;
  #options;
  #delimiter;
  #portion;
  #broken = 0;
  constructor(text, options) {
    this.#text = !options.isEnd && text.at(-1) === CR2 ? text.subarray(0, -1) : text;
    this.#options = options;
    this.#delimiter = options.delimiter.charCodeAt(0);
    this.#portion = { rows: [], end: 0, lines: 0, doubtfulTo: options.doubtfulTo ?? 0 };
  }
  read() {
    const { maxRows, isWithinLine: isBegun = false } = this.#options;
    if (isBegun) this.#passOver(this.#lineEnd);
    let goesOn = true;
    while (goesOn && this.#portion.rows.length < maxRows && this.#broken < MAX_BROKEN) goesOn = this.#readNext();
    return this.#portion;
  }
  /** Reads a row, or passes over an empty one. Returns whether the text may have more. */
  #readNext() {
    const at = skipBreaks(this.#text, this.#portion.end);
    this.#advance(at);
    if (at === this.#text.length) return false;
    if (at < this.#portion.doubtfulTo) {
      const isWhole = this.#isWholeRow(at);
      if (isWhole === void 0 && this.#mayWait) return false;
      if (!isWhole) return this.#add(this.#lineEnd, [], DOUBTFUL);
      this.#portion.doubtfulTo = 0;
    }
    const row = scanRow(this.#text, at, this.#delimiter);
    return "fault" in row ? this.#addBroken(row) : this.#addScanned(row);
  }
  #addScanned({ cells, end }) {
    const at = this.#portion.end;
    if (this.#isCut(end)) return this.#mayWait ? false : this.#addTooLong();
    if (cells.every(isBlank)) return this.#advance(end);
    const isTooLong = end - at > MAX_ROW_BYTES;
    const goesOnTo = this.#goesOnTo(cells, end);
    if (!isTooLong && goesOnTo === end && !this.#hasSwallowed(cells, end)) return this.#add(end, cells);
    this.#broken += 1;
    this.#portion.doubtfulTo = goesOnTo;
    return this.#add(this.#lineEnd, [], isTooLong ? TOO_LONG : SWALLOWED);
  }
  #addBroken({ fault, quote }) {
    const { isEnd } = this.#options;
    const end = fault === "closed_early" ? evenEnd(this.#text, quote) : void 0;
    const known = end !== void 0 && !this.#isCut(end) ? end : void 0;
    if (known === void 0 && !isEnd && this.#mayWait) return false;
    this.#broken += 1;
    if (known === void 0 && !isEnd) return this.#addTooLong();
    this.#portion.doubtfulTo = known === void 0 ? Number.POSITIVE_INFINITY : endOfValueBefore(this.#text, known, this.#delimiter);
    return this.#add(this.#lineEnd, [], PROBLEMS[fault]);
  }
  /** Of a row whose end the text does not have. */
  #addTooLong() {
    const end = this.#lineEnd;
    this.#doubt(end);
    return this.#add(end, [], TOO_LONG);
  }
  /** Passes over the rest of a line. */
  #passOver(end) {
    this.#doubt(end);
    this.#advance(end);
  }
  /** Whoever does not read a row with quotes to its end does not know what is within them. */
  #doubt(end) {
    if (this.#text.subarray(this.#portion.end, end).includes('"')) this.#portion.doubtfulTo = Number.POSITIVE_INFINITY;
  }
  /** Where a row ends that has too few values, if a quote that should begin one of them seems to have ended the one before. */
  #goesOnTo(cells, end) {
    const { delimiter, width = 0 } = this.#options;
    const isSuspect = cells.length < width && cells.some((cell) => cell.includes(delimiter));
    return isSuspect ? endOfValueBefore(this.#text, end, this.#delimiter) : end;
  }
  /** Whether rows seem to be within a value, because a quote was not closed. */
  #hasSwallowed(cells, end) {
    const { width } = this.#options;
    if (width === void 0 || width === 1 || fits(cells, width)) return false;
    return this.#linesWithin(end).slice(0, -1).some((line) => {
      const row = scanRow(this.#text, line, this.#delimiter);
      return !("fault" in row) && row.end === endOfLine(this.#text, line) && row.cells.length === width;
    });
  }
  /** Whether a line begins a row, and can't be part of a value. Undefined if the text does not say. */
  #isWholeRow(line) {
    if (!hasLoneQuote(this.#text, line, this.#delimiter)) {
      return this.#isCut(endOfLine(this.#text, line)) ? void 0 : false;
    }
    const row = scanRow(this.#text, line, this.#delimiter);
    if ("fault" in row) return this.#options.isEnd ? false : void 0;
    if (this.#isCut(row.end)) return void 0;
    const { width = row.cells.length } = this.#options;
    return row.isStrict && row.cells.length === width;
  }
  /** Returns where the lines after the first begin, of those up to a place. */
  #linesWithin(end) {
    const lines = [];
    for (let at = this.#lineEnd; at < end; at = endOfLine(this.#text, at)) lines.push(at);
    return lines;
  }
  /** Where the line ends that is read next. */
  get #lineEnd() {
    return endOfLine(this.#text, this.#portion.end);
  }
  /** Whether what the text does not say may be left for the next time. */
  get #mayWait() {
    return this.#portion.rows.length > 0;
  }
  /** Whether what ends there may go on after the text. */
  #isCut(end) {
    return !this.#options.isEnd && end === this.#text.length && !isBreak(this.#text[end - 1]);
  }
  #add(end, cells, problem) {
    const { rows, lines: line, doubtfulTo } = this.#portion;
    rows.push({ line, end, cells, doubtfulTo, ...problem !== void 0 && { problem } });
    return this.#advance(end);
  }
  #advance(end) {
    this.#portion.lines += countBreaks(this.#text, this.#portion.end, end);
    this.#portion.end = end;
    return true;
  }
};
var CR2 = 13;
function isBlank(cell) {
  return cell.trim() === "";
}
function fits(cells, width) {
  return cells.length >= width && cells.slice(width).every(isBlank);
}
var TOO_LONG = `is longer than ${MAX_ROW_BYTES / 1024} KB, or has a quote that is never closed`;
var SWALLOWED = "has another number of values than the first line, perhaps because of a quote that is not closed";
var DOUBTFUL = "may be part of a value in a row before it, of which the quotes are broken";
var PROBLEMS = {
  not_closed: "has a quote that is never closed",
  closed_early: "has something between a closing quote and the end of its value; a quote within a value is doubled"
};

// src/domain/catalog/feeds/parse-record.ts
function parseRecord(text) {
  try {
    const value = parseLosslessJson(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { record: value };
    return { problem: "is not an object" };
  } catch {
    return { problem: "is not JSON" };
  }
}

// src/domain/catalog/feeds/read-json-array.ts
var MAX_ELEMENT = 1024 * 1024;
async function* readJsonArray(chunks) {
  const decoder = new TextDecoder();
  let [depth, isInText, isEscaped, element, line, begins] = [0, false, false, "", 1, 1];
  let isOver = false;
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let at = 0; at < text.length; at += 1) {
      const sign = text[at];
      if (sign === "\n") line += 1;
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (sign === "\\") isEscaped = true;
        else if (sign === '"') isInText = false;
        continue;
      }
      if (sign === '"') isInText = true;
      else if (sign === "[" || sign === "{") {
        depth += 1;
        if (depth === 1 && (sign !== "[" || isOver)) throw new NotAFeed("is not one array of JSON");
        if (depth === 2) [start, element, begins] = [at, "", line];
      } else if (sign === "]" || sign === "}") {
        depth -= 1;
        if (depth === 1) {
          yield { line: begins, ...parseRecord(element + text.slice(start, at + 1)) };
          element = "";
        }
        if (depth === 0) isOver = true;
        if (depth < 0) throw new NotAFeed("is not one array of JSON");
      }
    }
    if (depth > 1) element += text.slice(start);
    if (element.length > MAX_ELEMENT) throw new NotAFeed("has an element of more than 1 MB");
  }
  if (!isOver) throw new NotAFeed("ends too early");
}

// src/domain/catalog/feeds/read-xml.ts
import { Parser } from "htmlparser2";
var PRODUCTS = /* @__PURE__ */ new Set(["item", "entry"]);
var ROOTS = /* @__PURE__ */ new Set(["rss", "feed", "rdf:rdf", "channel"]);
var [MAX_PRODUCT, MAX_DEPTH2] = [1024 * 1024, 50];
async function* readXml(chunks) {
  const open = [];
  const ready = [];
  let product;
  let [text, size, line, begins, isOver] = ["", 0, 1, 1, false];
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (open.length === 0 && !ROOTS.has(name.toLowerCase()))
          throw new NotAFeed(`is ${name}, and no feed of products`);
        if (open.length >= MAX_DEPTH2) throw new NotAFeed("is nested too deeply");
        if (PRODUCTS.has(name) && !product) [product, size, begins] = [{}, 0, line];
        else if (product && name === "link" && attributes.href) product.link = attributes.href;
        open.push(name);
        text = "";
      },
      ontext(more) {
        size += more.length;
        if (product && size > MAX_PRODUCT) throw new NotAFeed("has a product of more than 1 MB");
        if (product) text += more;
      },
      onclosetag(name, isImplied) {
        if (isImplied && !isOver) throw new NotAFeed("ends too early, or is not well-formed");
        open.pop();
        if (product && PRODUCTS.has(name)) {
          ready.push({ line: begins, record: product });
          product = void 0;
        } else if (product && text.trim() !== "") {
          const before = product[name];
          product[name] = before === void 0 ? text.trim() : [...[before].flat(), text.trim()];
        }
        text = "";
        if (open.length === 0) isOver = true;
      },
      onprocessinginstruction(name) {
        if (/^!(?:doctype|entity)/i.test(name)) throw new NotAFeed("declares entities or types of its own");
      }
    },
    { xmlMode: true, decodeEntities: true }
  );
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    const more = decoder.decode(chunk, { stream: true });
    parser.write(more);
    line += more.split("\n").length - 1;
    yield* ready.splice(0);
  }
  if (!isOver) throw new NotAFeed("ends too early");
}

// src/domain/catalog/feeds/read-records.ts
var [MAX_RECORD, PORTION] = [1024 * 1024, 256 * 1024];
var ROWS = 1e3;
function formatOf(beginning) {
  const text = beginning.replace(/^\ufeff/, "").trimStart();
  if (text === "" || /^<!doctype html|^<html/i.test(text)) return void 0;
  if (text.startsWith("<")) return "xml";
  if (text.startsWith("[")) return "json";
  if (text.startsWith("{")) return "jsonl";
  const [first = ""] = text.split(/[\r\n]/, 1);
  return first.includes("	") ? "tsv" : "csv";
}
function readRecords(chunks, format) {
  switch (format) {
    case "csv":
      return readTable(chunks, void 0);
    case "tsv":
      return readTable(chunks, "	");
    case "jsonl":
      return readLines(chunks);
    case "json":
      return readJsonArray(chunks);
    case "xml":
      return readXml(chunks);
  }
}
async function* readTable(chunks, given2) {
  let [text, line, isFirst] = [Buffer.alloc(0), 1, true];
  let names;
  let delimiter = given2;
  let doubtfulTo = 0;
  for await (const { chunk, isEnd } of withEnd(chunks)) {
    text = Buffer.concat([text, chunk]);
    if (isFirst && text.length >= 3) [text, isFirst] = [withoutMark(text), false];
    if (text.length < PORTION && !isEnd) continue;
    delimiter ??= mostOf(text);
    for (; ; ) {
      const { rows, end, lines, doubtfulTo: doubt } = readRows(text, { delimiter, maxRows: ROWS, isEnd, doubtfulTo });
      for (const { cells, problem, line: before } of rows) {
        if (problem) yield { line: line + before, problem };
        else if (!names) names = [...cells];
        else yield { line: line + before, record: recordOf(names, cells) };
      }
      line += lines;
      doubtfulTo = Math.max(0, doubt - end);
      text = text.subarray(end);
      if (rows.length === 0 || text.length === 0 || !isEnd && text.length < PORTION) break;
    }
  }
  if (!names) throw new NotAFeed("is empty");
}
function recordOf(names, cells) {
  return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? ""]));
}
function mostOf(text) {
  const [first = ""] = text.toString("utf8", 0, 64 * 1024).split(/[\r\n]/, 1);
  const count = (delimiter) => first.split(delimiter).length;
  return [",", ";", "|", "	"].sort((one, other) => count(other) - count(one))[0];
}
async function* readLines(chunks) {
  let [rest, line] = ["", 0];
  const decoder = new TextDecoder("utf-8", { fatal: false });
  for await (const { chunk, isEnd } of withEnd(chunks)) {
    const lines = (rest + decoder.decode(chunk, { stream: !isEnd })).split(/\r?\n/);
    rest = isEnd ? "" : lines.pop() ?? "";
    if (rest.length > MAX_RECORD) throw new NotAFeed("has a line of more than 1 MB");
    for (const text of lines) {
      line += 1;
      if (text.trim() !== "") yield { line, ...parseRecord(text) };
    }
  }
}
async function* withEnd(chunks) {
  for await (const chunk of chunks) yield { chunk, isEnd: false };
  yield { chunk: Buffer.alloc(0), isEnd: true };
}
function withoutMark(text) {
  const isMarked = text[0] === 239 && text[1] === 187 && text[2] === 191;
  return Buffer.from(isMarked ? text.subarray(3) : text);
}

// src/domain/catalog/feeds/read-products.ts
var BEGINNING = 4096;
async function openRecords(chunks, given2) {
  const { beginning, all } = await splitBeginning(chunks);
  if (beginning.trim() === "") throw new NotAFeed("is empty");
  const looksLike = formatOf(beginning);
  if (!looksLike) throw new NotAFeed("is a page of HTML");
  const format = given2 ?? looksLike;
  return { format, records: readRecords(all, format) };
}
async function splitBeginning(chunks) {
  const iterator = chunks[Symbol.asyncIterator]();
  const first = [];
  let length = 0;
  while (length < BEGINNING) {
    const { value, done } = await iterator.next();
    if (done) break;
    first.push(value);
    length += value.length;
  }
  const beginning = Buffer.concat(first);
  async function* all() {
    try {
      yield beginning;
      yield* { [Symbol.asyncIterator]: () => iterator };
    } finally {
      await iterator.return?.();
    }
  }
  return { beginning: beginning.toString("utf8", 0, BEGINNING), all: all() };
}

// src/domain/catalog/feeds/preview-feed.ts
var [MAX_PRODUCTS, MAX_COLUMNS, MAX_BYTES, MAX_MS] = [200, 200, 5e6, 1e4];
var [MAX_NAME, MAX_SAMPLE] = [255, 200];
var NOTHING = { itemId: null, variantId: null, title: null, prices: null, stock: null, categories: [] };
async function previewFeed(storeId, source, { format, currency }, open) {
  const signal = AbortSignal.timeout(MAX_MS);
  const read = [];
  const cut = { isCut: false };
  let [found, ended] = [format, true];
  try {
    const chunks = "text" in source ? chunksOf(source.text) : await fetched(storeId, source.url, open, signal);
    const opened = await openRecords(upTo(MAX_BYTES, chunks, cut), format);
    found = opened.format;
    for await (const one of opened.records) {
      if (read.push(one) > MAX_PRODUCTS) break;
    }
    if (cut.isCut) read.pop();
  } catch (error) {
    const isCut = cut.isCut || signal.aborted || "text" in source && error instanceof NotAFeed;
    ended = false;
    if (signal.aborted && read.length === 0) throw new FeedUnavailable("The server takes longer than 10 seconds");
    if (!isCut || read.length === 0) throw error;
  }
  const shown = read.slice(0, MAX_PRODUCTS);
  if (shown.length === 0)
    throw new NotAFeed(cut.isCut ? "begins with more than 5 MB of no product" : "has no products");
  const isComplete = ended && !cut.isCut && read.length <= MAX_PRODUCTS;
  return {
    format: found,
    columns: columnsOf(shown),
    products: shown.map((one) => preview(one, currency ?? void 0)),
    isComplete
  };
}
async function fetched(storeId, url, open, signal) {
  const opened = await open({ feedId: `preview ${storeId}`, url, signal });
  if (opened === "unchanged") throw new FeedUnavailable("The server answers with 304");
  return opened.chunks;
}
async function* chunksOf(text) {
  yield Buffer.from(text);
}
async function* upTo(bytes, chunks, cut) {
  let left = bytes;
  for await (const chunk of chunks) {
    left -= chunk.length;
    if (left < 0) {
      cut.isCut = true;
      return;
    }
    yield chunk;
  }
}
function columnsOf(read) {
  const columns = /* @__PURE__ */ new Map();
  for (const one of read) {
    if (!("record" in one)) continue;
    for (const [name, value] of Object.entries(one.record)) {
      if (columns.size >= MAX_COLUMNS && !columns.has(name)) continue;
      columns.set(name, columns.get(name) ?? sampleOf(value));
    }
  }
  return [...columns].map(([name, sample]) => ({ name: clipped(name, MAX_NAME), becomes: becomesOf(name), sample }));
}
function sampleOf(value) {
  if (value === null || value === void 0 || value === "") return null;
  return clipped(typeof value === "object" ? JSON.stringify(value) : String(value), MAX_SAMPLE);
}
var clipped = (text, longest) => text.slice(0, longest).toWellFormed();
function preview(read, currency) {
  const { line } = read;
  const product = "record" in read ? toProduct(read.record, currency) : { column: null, problem: read.problem };
  if (!("patch" in product)) {
    return {
      line,
      ...NOTHING,
      error: { line, column: product.column && clipped(product.column, MAX_NAME), problem: product.problem }
    };
  }
  const violation = checkProduct(product);
  if (violation) {
    return { line, ...NOTHING, error: { line, column: String(violation.path[0]), problem: violation.problem } };
  }
  const { id, fields, variants = [] } = product.patch;
  const [variant] = variants;
  const { prices = null, stock = null } = variant?.fields ?? fields;
  const { title = null } = fields;
  const categories = product.categories.map(categoryIdOf);
  return {
    line,
    itemId: id,
    variantId: variant?.id ?? null,
    title,
    prices,
    stock,
    categories,
    error: null
  };
}

// r-probe.ts
var t = (f) => {
  const s = performance.now();
  let r;
  try {
    r = f();
  } catch (e) {
    r = "THROW " + e;
  }
  return [Math.round(performance.now() - s), typeof r === "string" ? r : JSON.stringify(r)?.slice(0, 150)];
};
console.log("redos", t(() => {
  toProduct({ id: "1", product_type: "a>b" + " ".repeat(2e4) + "x" }, void 0);
}));
console.log("redos2", t(() => {
  toProduct({ id: "1", product_type: "a" + " ".repeat(2e4) + "x" }, void 0);
}));
console.log("redos40", t(() => {
  toProduct({ id: "1", product_type: "a" + " ".repeat(4e4) + "x" }, void 0);
}));
var p = async (label, text, format = null) => {
  const s = performance.now();
  try {
    const r = await previewFeed("s", { text }, { format, currency: "EUR" }, void 0);
    console.log(label, Math.round(performance.now() - s), JSON.stringify(r.products).slice(0, 200), JSON.stringify(r.columns).slice(0, 200));
  } catch (e) {
    console.log(label, Math.round(performance.now() - s), "THROW", e?.name, String(e?.message).slice(0, 100), String(e?.stack).split("\n")[1]);
  }
};
await p("toString", '[{"id":{"toString":1,"valueOf":2}}]');
await p("obj", '[{"id":{"a":1}}]');
await p("nested", '[{"id":' + "[".repeat(1e5) + "]".repeat(1e5) + "}]");
await p("nested attr", '[{"id":"1","x":' + "[".repeat(1e5) + "]".repeat(1e5) + "}]");
await p("ctor xml", "<rss><item><id>1</id><title>x</title><constructor>a</constructor><toString>b</toString><hasOwnProperty>c</hasOwnProperty><__proto__>c</__proto__></item></rss>");
await p("many items", "<rss>" + "<item/>".repeat(7e5));
await p("5MB xml", "<rss>" + "<item><id>1</id><title>x</title></item>".repeat(12e4) + "</rss>");
await p("5MB json", "[" + '{"id":"1"},'.repeat(4e5) + "]");
await p("5MB jsonl", '{"id":"1"}\n'.repeat(4e5));
await p("jsonl big", ('{"id":"1","x":[' + "0,".repeat(45e4) + "0]}\n").repeat(5));
await p("5MB csv", "id,title\n" + "1,x\n".repeat(1e6));
await p("csv wide", "id" + ",a".repeat(5e5) + "\n" + ("1" + ",x".repeat(5e5) + "\n").repeat(4));
await p("csv wide2", "id" + ",a".repeat(1e4) + "\n" + ("1" + ",x".repeat(1e4) + "\n").repeat(200));
await p("json big1", '[{"id":"1","x":"' + "a".repeat(49e5) + '"}]');
await p("json keys", '[{"id":"1"' + Array.from({ length: 8e4 }, (_, i) => `,"k${i}":1`).join("") + "}]");
