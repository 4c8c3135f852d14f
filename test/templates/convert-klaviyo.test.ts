import { expect } from 'chai';
import { convertKlaviyo } from '../../src/domain/templates/core/convert/convert-klaviyo.ts';

/** Klaviyo's, and ours. */
const PAIRS: Record<string, readonly [string, string][]> = {
  'values of the profile': [
    [`{{ first_name|default:'there' }}`, '{{ profile.attributes.first_name | default: "there" }}'],
    ['{{ person.first_name|default:"you" }}', '{{ profile.attributes.first_name | default: "you" }}'],
    [`{{ person|lookup:'Favorite Color' }}`, '{{ profile.attributes["Favorite Color"] }}'],
    [`{{ person | lookup:'a "b"' | default: "" }}`, `{{ profile.attributes['a "b"'] | default: "" }}`],
    ['{{ email }} {{ person.email }}', '{{ profile.identifiers.email }} {{ profile.identifiers.email }}'],
    ['{{ person.$phone_number }}', '{{ profile.identifiers.phone }}'],
    [`{{ person|lookup:"$address1" }}`, '{{ profile.attributes.location.address1 }}'],
    ['{{ person.location.city }}', '{{ profile.attributes.location.city }}'],
    ['{{ person.KlaviyoID }}', '{{ profile.id }}'],
  ],
  'values of the event': [
    ['{{ event.OrderId }}', '{{ event.properties.OrderId }}'],
    ['{{ event.extra.items.0.name }}', '{{ event.properties.extra.items[0].name }}'],
    [`{{ event|lookup:'Coupon Codes'|lookup:'0' }}`, '{{ event.properties["Coupon Codes"][0] }}'],
    [`{{ event|lookup:'$value'|floatformat:2 }}`, '{{ event.properties.value | number: 2 }}'],
    ['{{ event.extra.responsive_checkout_url }}', '{{ event.properties.extra.responsive_checkout_url }}'],
  ],
  'values of the store': [
    ['{{ organization.name }}, {{ organization.full_address }}', '{{ store.name }}, {{ store.postal_address }}'],
  ],
  filters: [
    ['{{ event.a|upper|truncatechars:10 }}', '{{ event.properties.a | upcase | truncate: 10 }}'],
    [
      '{{ event.a|add:2|multiply:1.5|divide:event.b }}',
      '{{ event.properties.a | plus: 2 | times: 1.5 | divided_by: event.properties.b }}',
    ],
    ['{{ event.a|floatformat }}', '{{ event.properties.a | number: 1 }}'],
    ['{{ event.a|floatformat:"-2g" }}', '{{ event.properties.a | number: 2 }}'],
    [
      '{{ event.a|length }} {{ event.a|join:", " }}',
      '{{ event.properties.a | size }} {{ event.properties.a | join: ", " }}',
    ],
    ['{{ event.a|striptags|urlencode }}', '{{ event.properties.a | strip_html | url_encode }}'],
    ['{{ event.a|slice:":3" }}', '{{ event.properties.a | slice: 0, 3 }}'],
    ['{{ event.html|safe }}', '{{ event.properties.html | raw }}'],
    [`{{ 'a \\'b\\''|upper }}`, `{{ "a 'b'" | upcase }}`],
  ],
  dates: [
    ['{{ event.at|format_date_string|date:"F j, Y" }}', '{{ event.properties.at | date: "%B %-d, %Y" }}'],
    ["{{ event.at|date:'D d M y, g:i A' }}", '{{ event.properties.at | date: "%a %d %b %y, %-I:%M %p" }}'],
    ['{{ event.at|date:"%d.%m.%Y" }}', '{{ event.properties.at | date: "%d.%m.%Y" }}'],
    ['&copy; {% current_year %}', '&copy; {{ now | date: "%Y" }}'],
    ["{% now 'F Y' %} {% today '%B' %}", '{{ now | date: "%B %Y" }} {{ now | date: "%B" }}'],
  ],
  links: [
    ['{% unsubscribe %}', '<a href="{{ unsubscribe_url }}" data-track="off">Unsubscribe</a>'],
    ["{% unsubscribe 'No more' %}", '<a href="{{ unsubscribe_url }}" data-track="off">No more</a>'],
    ['<a href="{% unsubscribe_link %}">x</a>', '<a href="{{ unsubscribe_url }}">x</a>'],
    ['<a href="{% unsubscribe %}">x</a>', '<a href="{{ unsubscribe_url }}">x</a>'],
    ['{% manage_preferences %}', '<a href="{{ preferences_url }}" data-track="off">Manage preferences</a>'],
    ["{% manage_preferences 'Choose' %}", '<a href="{{ preferences_url }}" data-track="off">Choose</a>'],
    [
      '{% web_view %} {% web_view_link %}',
      '<a href="{{ view_url }}" data-track="off">View in browser</a> {{ view_url }}',
    ],
  ],
  conditions: [
    [
      '{% if first_name %}a{% else %}b{% endif %}',
      '{% if profile.attributes.first_name != blank %}a{% else %}b{% endif %}',
    ],
    ['{% if not event.items %}a{% endif %}', '{% if event.properties.items == blank %}a{% endif %}'],
    [
      `{% if person|lookup:'Points' > 150 %}a{% elif person.vip == True %}b{% endif %}`,
      '{% if profile.attributes.Points > 150 %}a{% elsif profile.attributes.vip == true %}b{% endif %}',
    ],
    [
      `{% if event.a and event.b == 'c' %}x{% endif %}`,
      '{% if event.properties.a != blank and event.properties.b == "c" %}x{% endif %}',
    ],
    [
      '{% if not event.a == 1 and not event.b < 2 %}x{% endif %}',
      '{% if event.properties.a != 1 and not event.properties.b < 2 %}x{% endif %}',
    ],
    [`{% if 'vip' in person.tags %}x{% endif %}`, '{% if profile.attributes.tags contains "vip" %}x{% endif %}'],
    [
      `{% if 'vip' not in person.tags %}x{% endif %}`,
      '{% if not profile.attributes.tags contains "vip" %}x{% endif %}',
    ],
    ['{% if event.a is None %}x{% endif %}', '{% if event.properties.a == nil %}x{% endif %}'],
    // In Liquid `and` does not bind more than `or`.
    [
      '{% if event.a == 1 and event.b == 2 or event.c == 3 %}x{% endif %}',
      '{% if event.properties.c == 3 or event.properties.a == 1 and event.properties.b == 2 %}x{% endif %}',
    ],
    [
      '{% if event.a == 1 and event.b == 2 or event.c == 3 and event.d == 4 %}x{% endif %}',
      '{% assign value_1 = false %}{% if event.properties.a == 1 and event.properties.b == 2 %}{% assign value_1 = true %}{% endif %}{% if value_1 == true or event.properties.c == 3 and event.properties.d == 4 %}x{% endif %}',
    ],
    // Its conditions have no filters.
    [
      `{% if person.a|default:'x' == 'x' %}a{% elif event.b|length > 2 %}b{% endif %}`,
      '{% assign value_1 = profile.attributes.a | default: "x" %}{% assign value_2 = event.properties.b | size %}{% if value_1 == "x" %}a{% elsif value_2 > 2 %}b{% endif %}',
    ],
    ['{% ifequal event.a "b" %}x{% endifequal %}', '{% if event.properties.a == "b" %}x{% endif %}'],
  ],
  loops: [
    [
      '{% for item in event.Items %}{{ forloop.counter }}. {{ item.ProductName }}{% if not forloop.last %}, {% endif %}{% empty %}none{% endfor %}',
      '{% for item in event.properties.Items %}{{ forloop.index }}. {{ item.ProductName }}{% if forloop.last == blank %}, {% endif %}{% else %}none{% endfor %}',
    ],
    [
      `{% for x in event.extra.line_items|slice:':3' %}{{ x }}{% endfor %}`,
      '{% for x in event.properties.extra.line_items limit: 3 %}{{ x }}{% endfor %}',
    ],
    [
      `{% for x in event|lookup:'My Items'|slice:'1:4' reversed %}{% endfor %}`,
      '{% for x in event.properties["My Items"] reversed limit: 3 offset: 1 %}{% endfor %}',
    ],
    [
      `{% for x in event.names|split:',' %}{{ x }}{% endfor %}`,
      '{% assign value_1 = event.properties.names | split: "," %}{% for x in value_1 %}{{ x }}{% endfor %}',
    ],
    [
      `{% for x in event.a %}{{ x|lookup:'Product Name' }}{% endfor %}`,
      '{% for x in event.properties.a %}{{ x["Product Name"] }}{% endfor %}',
    ],
  ],
  names: [
    [
      '{% with total=event.a|floatformat:2 b=1 %}{{ total }}{% endwith %}',
      '{% assign total = event.properties.a | number: 2 %}{% assign b = 1 %}{{ total }}',
    ],
    ['{% with event.a as b %}{{ b }}{% endwith %}', '{% assign b = event.properties.a %}{{ b }}'],
  ],
  'what is no value': [
    ['{# a {{ b }} #}', '{% comment %}a {{ b }}{% endcomment %}'],
    ['{% comment %}{{ x|y }}{% endcomment %}', '{% comment %}{{ x|y }}{% endcomment %}'],
    ['{% verbatim %}{{ x }}{% endverbatim %}', '{% raw %}{{ x }}{% endraw %}'],
    ['a { b } {{ c', 'a { b } {{ c'],
    ['{% spaceless %}<b>{% endspaceless %}', '<b>'],
  ],
};

/** A whole e-mail, as it comes from the third party's editor. */
const EMAIL = `<html><body>
{% if event.extra.line_items %}
<h1>Hi {{ first_name|title|default:'there' }}, you forgot something</h1>
<table>{% for item in event.extra.line_items|slice:':5' %}
<tr><td><img src="{{ item.product.images.0.src }}" alt="{{ item.title }}"></td>
<td>{{ item.quantity }} &times; {{ item.title }}<br>{% currency_format item.line_price|floatformat:2 %}</td></tr>
{% endfor %}</table>
{% endif %}
<p>Use {% coupon_code 'WELCOME' %} until {{ event.until|date:'F jS' }}.</p>
{% catalog item.id integration="shopify" %}<p>{{ catalog_item.title }}</p>{% endcatalog %}
<p>&copy; {% current_year %} {{ organization.name }}, {{ organization.full_address }} {{ organization.url }}</p>
<p>{% unsubscribe 'Unsubscribe' %} <a href="{% web_view_link %}">Browser</a></p>
</body></html>`;

const CONVERTED = `<html><body>
{% if event.properties.extra.line_items != blank %}
<h1>Hi {{ profile.attributes.first_name | capitalize | default: "there" }}, you forgot something</h1>
<table>{% for item in event.properties.extra.line_items limit: 5 %}
<tr><td><img src="{{ item.product.images[0].src }}" alt="{{ item.title }}"></td>
<td>{{ item.quantity }} &times; {{ item.title }}<br>{{ item.line_price | number: 2 | money }}</td></tr>
{% endfor %}</table>
{% endif %}
<p>Use {% coupon_code 'WELCOME' %} until {{ event.until|date:'F jS' }}.</p>
{% catalog item.id integration="shopify" %}<p>{{ catalog_item.title }}</p>{% endcatalog %}
<p>&copy; {{ now | date: "%Y" }} {{ store.name }}, {{ store.postal_address }} {{ organization.url }}</p>
<p><a href="{{ unsubscribe_url }}" data-track="off">Unsubscribe</a> <a href="{{ view_url }}">Browser</a></p>
</body></html>`;

describe("Conversion of Klaviyo's syntax", () => {
  for (const [what, pairs] of Object.entries(PAIRS)) {
    describe(`of ${what}`, () => {
      for (const [klaviyo, ours] of pairs) {
        it(klaviyo, () => {
          expect(convertKlaviyo(klaviyo)).to.deep.equal({ source: ours, problems: [] });
        });
      }
    });
  }

  it('takes no name for what all objects have', () => {
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      for (const source of [
        `{% ${name} %}`,
        `{{ ${name} }}`,
        `{{ ${name}_url }}`,
        `<a href="{% ${name}_link %}">x</a>`,
      ]) {
        const converted = convertKlaviyo(source);
        expect([converted.source, converted.problems.length], source).to.deep.equal([source, 1]);
      }
    }
  });

  it('leaves what has no equal, and names it by its line', () => {
    const { source, problems } = convertKlaviyo(EMAIL);
    expect(source).to.equal(CONVERTED);
    expect(
      problems.map(({ severity, line, message }) => `${severity} ${line} ${/“[^”]*”/.exec(message)?.[0]}`),
    ).to.deep.equal([
      'warning 3 “title”',
      'error 9 “coupon_code”',
      'error 9 “S”',
      'error 10 “catalog”',
      'error 10 “catalog_item.title”',
      'error 10 “endcatalog”',
      'error 11 “organization.url”',
    ]);
    expect(problems[1]).to.include({ code: 'no_equal', column: 8 });
  });

  const unequal = [
    '{{ x }}',
    '{{ event.a|made_up }}',
    '{{ person.full_name }}',
    '{{ event.a|lookup:person.b|lookup:person.c }}',
    '{{ event.a|upper|lookup:"b" }}',
    '{{ event.a + 1 }}',
    '{{ }}',
    `{{ person|lookup:"a\\"b'c" }}`,
    '{% for k, v in event.a.items %}{% endfor %}',
    '{% if %}{% endif %}',
    '{% if event.a = = 1 %}{% endif %}',
    '{% include "x" %}',
    '{% cycle "a" "b" %}',
    '{% with a %}{% endwith %}',
    '{{ forloop.parentloop.counter }}',
  ];
  for (const source of unequal) {
    it(`leaves ${source}`, () => {
      const converted = convertKlaviyo(source);
      expect(converted.source).to.equal(source);
      expect(converted.problems.map(({ code }) => code)).to.deep.equal(['no_equal']);
    });
  }

  it('takes no longer for what never ends', () => {
    for (const part of ['{{ ', '{% if ', '{{ a|b:"', '{# ', "{{ '", '{% comment %}', '{% if a %}', '{{ a|b:c|']) {
      const source = part.repeat(200_000 / part.length);
      expect(convertKlaviyo(source).source.length).to.be.greaterThan(0);
      expect(convertKlaviyo(`${source}}} %} #}`).problems.length).to.be.at.most(100);
    }
  });
});
